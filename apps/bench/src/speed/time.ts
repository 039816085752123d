export interface RatioRow {
  readonly operation: string
  readonly messages: number
  readonly measured: number
  readonly floor: number
  readonly n: number
  readonly against: string
  readonly ratio: number
}

type Run = () => unknown

type Labels = Pick<RatioRow, 'operation' | 'messages' | 'against'>

/** Alternates a function and its floor, so that a drifting machine affects both. */
export async function timeRow(
  labels: Labels,
  prepare: () => Promise<Run>,
  floor: Run,
  runs: number,
): Promise<RatioRow> {
  const samples = createSamples()
  // As many rounds again warm up.
  for (let round = -runs; round < runs; round++) {
    const times = [await spent(await prepare()), await spent(floor)] as const
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

/** Processor time in milliseconds, which is fair on a shared machine. */
export async function spent(run: Run): Promise<number> {
  const start = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

export function mean(values: readonly (number | boolean)[]): number {
  return values.reduce<number>((sum, value) => sum + Number(value), 0) / Math.max(1, values.length)
}
