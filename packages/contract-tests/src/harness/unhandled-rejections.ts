import { setImmediate } from 'node:timers/promises'

/**
 * Runs a task and returns the reasons of the rejections that stayed unhandled meanwhile. Other listeners do not hear of
 * them: a test runner would blame them on whatever test runs by then, and without any the process would end.
 */
export async function unhandledRejections(run: () => Promise<void>): Promise<unknown[]> {
  const reasons: unknown[] = []
  const others = process.listeners('unhandledRejection')
  const listen = (reason: unknown) => reasons.push(reason)
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', listen)
  try {
    await run()
    // Node reports a rejection when the queue of microtasks is empty.
    await setImmediate()
  } finally {
    process.off('unhandledRejection', listen)
    for (const other of others) process.on('unhandledRejection', other)
  }
  return reasons
}
