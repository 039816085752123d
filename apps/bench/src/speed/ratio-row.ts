import type { LcmRow } from '../lcm/lcm-row.ts'
import type { RatioRow } from './speed-report.ts'
import type { SpeedRow } from './speed-row.ts'
import type { Timing } from './time.ts'

export type RatioInput = Pick<RatioRow, 'group' | 'operation' | 'messages' | 'against' | 'target'>

/** A row of two times that were measured in turn. */
export function ratioRow(
  input: RatioInput,
  { measured, floor }: { readonly measured: Timing; readonly floor: Timing },
): RatioRow {
  return {
    ...input,
    unit: 'ms',
    measured: measured.median,
    floor: floor.median,
    ratio: measured.median / floor.median,
    n: measured.n,
  }
}

/** A row of the estimates and compactions, whose floor is serialising the messages. */
export function fromSpeedRow(group: string, row: SpeedRow): RatioRow {
  const { operation, messages, measured, floor, limit } = row
  const input = { group, operation, messages, against: STRINGIFY }
  return ratioRow(limit === undefined ? input : { ...input, target: limit }, { measured, floor })
}

/** A row of the lossless engine and its store. */
export function fromLcmRow({ passed, ...row }: LcmRow): RatioRow {
  return { group: 'lcm', ...row }
}

export const STRINGIFY = 'JSON.stringify of the messages'
export const PARSE = 'JSON.parse of their lines'
export const COUNT = 'counting their tokens once'
