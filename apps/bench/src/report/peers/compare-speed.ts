import type { RatioRow } from '../../speed/speed-report.ts'
import { distinct } from '../arm-table.ts'
import type { BenchReport } from '../bench-report.ts'
import { decimal, whole } from '../format.ts'
import { type Comparison, type Entry, ranked } from './compare-arms.ts'

/** What peers take to cut a list beside what our compactions take, where both have the same floor. */
export function compareSpeed({ speed }: BenchReport): Comparison[] {
  const rows = (speed?.rows ?? []).filter((row) => kindOf(row) !== undefined)
  return distinct(rows.map(({ messages }) => messages)).flatMap((messages) => {
    const same = rows.filter((row) => row.messages === messages)
    return distinct(same.map(({ against }) => against)).map(
      (against): Comparison => ({
        measure: `Time to cut a list, × ${against}`,
        within: `${whole(messages)} messages`,
        better: 'less',
        entries: ranked('less', same.filter((row) => row.against === against).flatMap(entryOf)),
      }),
    )
  })
}

function entryOf(row: RatioRow): Entry[] {
  const kind = kindOf(row)
  const { operation, ratio } = row
  return kind === undefined ? [] : [{ arm: operation, kind, value: ratio, text: decimal(ratio, 2) }]
}

/** Of the compressor's rows, those of a whole compaction. */
function kindOf({ group, operation }: RatioRow): Entry['kind'] | undefined {
  if (group === 'peers') return 'peer'
  return group === 'compressor' && operation.startsWith('compress,') ? 'engine' : undefined
}
