export interface RatioRow {
  readonly operation: string
  readonly messages: number
  /** Median milliseconds, and how often each of the two was measured. */
  readonly measured: number
  readonly floor: number
  readonly n: number
  readonly against: string
  readonly ratio: number
}

/** Prepares a run, which is not measured, and returns what is. */
export type Measured = () => Run | Promise<Run>
type Run = () => unknown

export const ready =
  (run: Run): Measured =>
  () =>
    run

export interface Repetitions {
  readonly runs: number
  /** Uncounted rounds before, for each that counts. Default 3. */
  readonly warmUp?: number
}

type Labels = Pick<RatioRow, 'operation' | 'messages' | 'against'>

/** Measures a function and its floor in turn, so that a machine whose speed drifts is fair to both. */
export async function timeRow(
  labels: Labels,
  measured: Measured,
  floor: Measured,
  { runs, warmUp = 3 }: Repetitions,
): Promise<RatioRow> {
  const samples = createSamples()
  for (let round = -runs * warmUp; round < runs; round++) {
    const times = [await spent(await measured()), await spent(await floor())] as const
    if (round >= 0) samples.add(...times)
  }
  return samples.row(labels)
}

export function createSamples() {
  const [measured, floor]: [number[], number[]] = [[], []]
  return {
    add(time: number, floorTime: number) {
      measured.push(time)
      floor.push(floorTime)
    },
    row(labels: Labels): RatioRow {
      const [time, least] = [median(measured), median(floor)]
      return { ...labels, measured: time, floor: least, n: measured.length, ratio: time / least }
    },
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

/** Milliseconds of the processor that a run takes: fair on a machine that others use too. */
export async function spent(run: Run): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** 0 for no values. What is true counts as one. */
export function mean(values: readonly (number | boolean)[]): number {
  return values.reduce<number>((sum, value) => sum + Number(value), 0) / Math.max(1, values.length)
}
