/** Milliseconds of a function's runs. */
export interface Timing {
  /** How many runs. */
  readonly n: number
  readonly median: number
  readonly min: number
  readonly max: number
}

/** A function to measure; `prepare` runs before each run and is not measured. */
export interface Measured<T> {
  prepare(): Promise<T> | T
  run(input: T): Promise<unknown> | unknown
}

/** How often something is measured. */
export interface Repetitions {
  /** Rounds that count. */
  readonly runs: number
  /** Rounds before the first that counts, for each that counts. Default 3. */
  readonly warmUp?: number | undefined
}

const WARM_UP = 3

/**
 * Measures a function and its floor in turn, run by run, so that a machine whose speed drifts is fair to both.
 * More rounds go before, not counted, in which the code gets compiled: the floor is compiled already. `warmUp` is
 * how many for each that counts; default 3. `now` is the clock, in milliseconds; default: that on the wall.
 */
export async function timePair<A, B>(
  measured: Measured<A>,
  floor: Measured<B>,
  runs: number,
  warmUp = WARM_UP,
  now = () => performance.now(),
): Promise<{ measured: Timing; floor: Timing }> {
  const times = { measured: [] as number[], floor: [] as number[] }
  for (let round = -runs * warmUp; round < runs; round++) {
    const first = await timeOnce(measured, now)
    const second = await timeOnce(floor, now)
    if (round < 0) continue
    times.measured.push(first)
    times.floor.push(second)
  }
  return { measured: summarize(times.measured), floor: summarize(times.floor) }
}

/** Milliseconds of one run. */
export async function timeOnce<T>({ prepare, run }: Measured<T>, now: () => number): Promise<number> {
  const input = await prepare()
  const start = now()
  await run(input)
  return now() - start
}

/** Milliseconds that processors spent on this process: of work in memory, on a machine that others use too. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Median, least and greatest of some times. */
export function summarize(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    n: sorted.length,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
  }
}
