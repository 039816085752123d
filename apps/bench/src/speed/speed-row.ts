import type { Timing } from './time.ts'

/** One line of the speed report. */
export interface SpeedRow {
  readonly operation: string
  readonly messages: number
  /** Tokens of the conversation, by our counter. */
  readonly tokens: number
  readonly measured: Timing
  readonly floor: Timing
  /** Median over median of the floor. */
  readonly ratio: number
  /** What the ratio or the time should not exceed, as text; empty where nothing was promised. */
  readonly target: string
  /** The same as a number, where it is the ratio that was promised. */
  readonly limit?: number
}

export function speedRow(
  operation: string,
  size: { messages: number; tokens: number },
  timings: { measured: Timing; floor: Timing },
  target: string | number = '',
): SpeedRow {
  const ratio = timings.measured.median / timings.floor.median
  const row = { operation, ...size, ...timings, ratio }
  return typeof target === 'number'
    ? { ...row, target: `ratio ≤ ${target}`, limit: target }
    : { ...row, target }
}
