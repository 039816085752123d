import type { Timing } from '../speed/time.ts'

/** One figure: an operation, or a size, against its floor. */
export interface LcmRow {
  readonly operation: string
  /** Messages in the store. */
  readonly messages: number
  readonly unit: 'ms' | 'bytes' | 'messages'
  readonly measured: number
  readonly floor: number
  /** How many times each was measured; a time is their median. Absent where it is no time. */
  readonly n?: number
  /** What the floor is. */
  readonly against: string
  /** Measured over floor. */
  readonly ratio: number
  /** What the ratio must not exceed; absent where nothing was promised. */
  readonly target?: number
  /** The ratio must be exactly this: counts that have to agree. */
  readonly exactly?: number
  /** Absent where nothing was promised. */
  readonly passed?: boolean
}

/**
 * How much an operation may cost in a large store, as a multiple of what it costs in a small one, to be called flat:
 * the depth of a B-tree grows with the file, and its upper pages leave the caches.
 */
export const FLAT = 1.5

export interface RowInput {
  readonly operation: string
  readonly messages: number
  readonly against: string
  readonly target?: number
}

/** A row of times. */
export function timeRow(input: RowInput, { measured, floor }: { measured: Timing; floor: Timing }): LcmRow {
  return judge({ ...input, unit: 'ms', measured: measured.median, floor: floor.median, n: measured.n })
}

/** A row of any two numbers. */
export function judge(row: Omit<LcmRow, 'ratio' | 'passed'>): LcmRow {
  const ratio = row.measured / row.floor
  const { target, exactly } = row
  if (target === undefined && exactly === undefined) return { ...row, ratio }
  return { ...row, ratio, passed: exactly === undefined ? ratio <= (target ?? 0) : ratio === exactly }
}

/** What the floor of a comparison of two stores is called. `messages`: of the small one. */
export function sameAt(messages: number): string {
  return `the same at ${messages.toLocaleString('en-US')}`
}

/** What the comparison of an operation in two stores is called. */
export function growthOf(operation: string): string {
  return `growth, ${operation}`
}
