/** The longest time that work goes on without a pause, in milliseconds. */
const SLICE = 2

/**
 * Cuts long work into slices, so that one conversation does not hold up the others of its process: the returned function
 * waits for a turn of the event loop when more than 2 ms have passed since the last one, and costs next to nothing
 * otherwise.
 *
 * @example
 * const pause = createPause()
 * for (const message of messages) {
 *   read(message)
 *   await pause()
 * }
 */
export function createPause(): () => Promise<void> | undefined {
  let begin = performance.now()
  return () => {
    if (performance.now() - begin < SLICE) return undefined
    return new Promise((resolve) => {
      setTurn(() => {
        begin = performance.now()
        resolve()
      })
    })
  }
}

/** Long work that says with `yield` where others of its process may have a turn. */
export type Sliced<Result> = Generator<void, Result>

/** Does sliced work at once. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Does sliced work with pauses between its slices. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  const pause = createPause()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await pause()
  }
}

/** Timers wait a millisecond or more where there is nothing better. */
const setTurn: (resume: () => void) => unknown = globalThis.setImmediate ?? setTimeout
