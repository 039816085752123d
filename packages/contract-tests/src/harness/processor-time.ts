/**
 * The processor time of this thread so far, in milliseconds; of the process where Node does not say more. A busy
 * machine changes it little, and the time of day much.
 */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1_000
}

/** The interval in milliseconds at which a task is checked. */
const LOOK_MS = 250
/** Milliseconds of processor time between two looks below which the thread only waits. */
const WAITING_MS = 5

/**
 * Runs a task; rejects when it takes this long on the processor, or waits this long for something. `pending` says for
 * what.
 */
export async function withinLimit<T>(
  task: Promise<T>,
  limitMs: number,
  pending: () => string = () => '',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const every = Math.min(LOOK_MS, limitMs)
    const begin = processorTime()
    let last = begin
    let waited = 0
    timer = setInterval(() => {
      const now = processorTime()
      waited = now - last < WAITING_MS ? waited + every : 0
      last = now
      if (now - begin < limitMs && waited < limitMs) return
      reject(new Error(`it was not over after ${limitMs / 1_000} s${pending()}`))
    }, every)
  })
  return Promise.race([task, late]).finally(() => clearInterval(timer))
}
