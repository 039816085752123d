export type Timing = ReturnType<typeof summarize>

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

export interface TimePair {
  readonly measured: Timing
  readonly floor: Timing
}

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
  return { measured: samples.timing('measured'), floor: samples.timing('floor') }
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
  }
  return samples
}

/** Milliseconds that processors spent on this process: of work in memory, on a machine that others use too. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The number of times, and their median. */
export function summarize(times: readonly number[]) {
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
