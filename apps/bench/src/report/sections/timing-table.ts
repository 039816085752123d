import type { SpeedRow } from '../../speed/speed-row.ts'
import { decimal, milliseconds, NOTHING, whole } from '../format.ts'
import { left, right, type Table } from '../section.ts'

/** Times beside their floors. */
export function timingTable(rows: readonly SpeedRow[]): Table {
  return {
    columns: [left('operation'), ...['messages', 'median', 'floor', 'ratio', 'promised'].map(right)],
    rows: rows.map(({ operation, messages, measured, floor, ratio, target }) => [
      operation,
      whole(messages),
      milliseconds(measured.median),
      milliseconds(floor.median),
      decimal(ratio, 4),
      target === '' ? NOTHING : target,
    ]),
  }
}
