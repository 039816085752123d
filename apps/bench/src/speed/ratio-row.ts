import { bytes, decimal, milliseconds, NOTHING, whole } from '../report/format.ts'
import { left, right, type Table } from '../report/section.ts'
import type { Timing } from './time.ts'

/** One figure: an operation, or a size, against its floor. */
export interface RatioRow {
  readonly operation: string
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
}

export type RowInput = Pick<RatioRow, 'operation' | 'messages' | 'against' | 'target'>

/** Two times that were measured in turn. */
export interface TimePair {
  readonly measured: Timing
  readonly floor: Timing
}

/** A row of times. */
export function timeRow(input: RowInput, { measured, floor }: TimePair): RatioRow {
  return ratioRow({ ...input, unit: 'ms', measured: measured.median, floor: floor.median, n: measured.n })
}

/** A row of any two numbers. */
export function ratioRow(row: Omit<RatioRow, 'ratio'>): RatioRow {
  return { ...row, ratio: row.measured / row.floor }
}

/** Whether a row keeps what was promised; undefined where nothing was. */
export function isKept({ ratio, target, exactly }: RatioRow): boolean | undefined {
  if (exactly !== undefined) return ratio === exactly
  return target === undefined ? undefined : ratio <= target
}

/** Ratios with what they are made of. */
export function ratioTable(rows: readonly RatioRow[]): Table {
  return {
    columns: [
      left('operation'),
      ...['messages', 'n', 'measured', 'floor'].map(right),
      left('against'),
      ...['ratio', 'promised'].map(right),
    ],
    rows: rows.map((row) => [
      row.operation,
      whole(row.messages),
      row.n === undefined ? NOTHING : whole(row.n),
      amount(row.measured, row.unit),
      amount(row.floor, row.unit),
      row.against,
      decimal(row.ratio, row.ratio < 0.1 ? 4 : 2),
      promiseOf(row),
    ]),
  }
}

/** How many promises of some rows are kept. */
export function promisesText(rows: readonly RatioRow[]): string {
  const promised = rows.map(isKept).filter((kept) => kept !== undefined)
  return `${promised.filter(Boolean).length} of ${promised.length} promises kept.`
}

function promiseOf(row: RatioRow): string {
  const kept = isKept(row)
  if (kept === undefined) return NOTHING
  const promise = row.exactly === undefined ? `≤ ${row.target}` : `= ${row.exactly}`
  return `${promise}, ${kept ? 'kept' : 'MISSED'}`
}

function amount(value: number, unit: RatioRow['unit']): string {
  if (unit === 'bytes') return bytes(value)
  return unit === 'ms' ? milliseconds(value) : whole(value)
}
