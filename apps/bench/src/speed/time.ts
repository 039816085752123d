import {
  bytes,
  decimal,
  left,
  milliseconds,
  NOTHING,
  right,
  type Table,
  tableOf,
  whole,
} from '../report/section.ts'

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

type Timing = ReturnType<typeof summarize>

/** Prepares a run, which is not measured, and returns what is. */
export type Measured = () => Run | Promise<Run>
type Run = () => unknown

export const ready =
  (run: Run): Measured =>
  () =>
    run

export interface Repetitions {
  readonly runs: number
  readonly warmUp?: number | undefined
  /** The clock, in milliseconds. Default: that on the wall. */
  readonly now?: () => number
}

type TimePair = { readonly measured: Timing; readonly floor: Timing }

/** Measures a function and its floor in turn, so that a machine whose speed drifts is fair to both, after uncounted rounds. */
export async function timePair(
  measured: Measured,
  floor: Measured,
  { runs, warmUp = 3, now }: Repetitions,
): Promise<TimePair> {
  const samples = createSamples<'measured' | 'floor'>(now)
  for (let round = -runs * warmUp; round < runs; round++) {
    samples.isCounting = round >= 0
    await samples.time('measured', await measured())
    await samples.time('floor', await floor())
  }
  return samples.pair('measured', 'floor')
}

export type Samples<Name extends string> = ReturnType<typeof createSamples<Name>>

export function createSamples<Name extends string>(now = () => performance.now()) {
  const all = new Map<Name, number[]>()
  const values = (name: Name): number[] => {
    const known = all.get(name) ?? []
    all.set(name, known)
    return known
  }
  const samples = {
    isCounting: true,
    add: (name: Name, value: number) => void (samples.isCounting && values(name).push(value)),
    /** Adds the milliseconds of a run, and returns its result. */
    async time<Result>(name: Name, run: () => Promise<Result> | Result): Promise<Result> {
      const start = now()
      const result = await run()
      samples.add(name, now() - start)
      return result
    },
    values,
    timing: (name: Name) => summarize(values(name)),
    pair: (measured: Name, floor: Name): TimePair => ({
      measured: summarize(values(measured)),
      floor: summarize(values(floor)),
    }),
  }
  return samples
}

/** Milliseconds that processors spent on this process: of work in memory, on a machine that others use too. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The number of times, and their median. */
function summarize(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    n: sorted.length,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
  }
}

/** 0 for no values. What is true counts as one. */
export function mean(values: readonly (number | boolean)[]): number {
  return values.reduce<number>((sum, value) => sum + Number(value), 0) / Math.max(1, values.length)
}
