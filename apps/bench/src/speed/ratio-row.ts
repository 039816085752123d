import { bytes, decimal, milliseconds, NOTHING, whole } from '../report/format.ts'
import { left, right, type Table, tableOf } from '../report/section.ts'
import { type Measured, type Repetitions, type TimePair, timePair } from './time.ts'

export interface RatioRow {
  readonly operation: string
  readonly messages: number
  readonly unit: 'ms' | 'bytes' | 'messages'
  readonly measured: number
  readonly floor: number
  readonly n?: number
  readonly against: string
  readonly ratio: number
  readonly target?: number
  /** The ratio must be exactly this: counts that have to agree. */
  readonly exactly?: number
}

export type RowInput = Pick<RatioRow, 'operation' | 'messages' | 'against' | 'target'>

export function timeRow(input: RowInput, { measured, floor }: TimePair): RatioRow {
  return ratioRow({ ...input, unit: 'ms', measured: measured.median, floor: floor.median, n: measured.n })
}

export interface Operation extends Partial<Pick<Repetitions, 'runs'>>, Pick<RatioRow, 'target'> {
  readonly operation: string
  readonly measured: Measured
}

export async function timeRows(
  { messages, against, floor, ...often }: RowsInput,
  operations: readonly Operation[],
): Promise<RatioRow[]> {
  const rows: RatioRow[] = []
  for (const { operation, target, measured, runs = often.runs } of operations)
    rows.push(
      timeRow(
        { operation, messages, against, ...(target !== undefined && { target }) },
        await timePair(measured, floor, { ...often, runs }),
      ),
    )
  return rows
}

export interface RowsInput extends Repetitions, Pick<RatioRow, 'messages' | 'against'> {
  readonly floor: Measured
}

export function ratioRow(row: Omit<RatioRow, 'ratio'>): RatioRow {
  return { ...row, ratio: row.measured / row.floor }
}

export function isKept({ ratio, target, exactly }: RatioRow): boolean | undefined {
  if (exactly !== undefined) return ratio === exactly
  return target === undefined ? undefined : ratio <= target
}

export function ratioTable(rows: readonly RatioRow[]): Table {
  return tableOf(rows, [
    left('operation', ({ operation }) => operation),
    right('messages', ({ messages }) => whole(messages)),
    right('n', ({ n }) => (n === undefined ? NOTHING : whole(n))),
    right('measured', ({ measured, unit }) => amount(measured, unit)),
    right('floor', ({ floor, unit }) => amount(floor, unit)),
    left('against', ({ against }) => against),
    right('ratio', ({ ratio }) => decimal(ratio, ratio < 0.1 ? 4 : 2)),
    right('promised', promiseOf),
  ])
}

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
