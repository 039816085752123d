/** The calls that are being answered. */
export interface RunningCalls {
  /** Counts a call. Throws the fault when no more are taken. */
  add(call: AbortController): void
  /** The call is over. May be called more than once. */
  remove(call: AbortController): void
  /** Takes no more, and resolves when all are over; those that take longer than `limit` milliseconds are aborted. */
  drain(limit: number): Promise<void>
}

/** @param fault refuses a call, and ends one that takes too long, because the service ends. */
export function createRunningCalls(fault: () => Error): RunningCalls {
  const running = new Set<AbortController>()
  const drained = Promise.withResolvers<void>()
  let isClosed = false
  const settle = () => {
    if (isClosed && running.size === 0) drained.resolve()
  }
  return {
    add(call) {
      if (isClosed) throw fault()
      running.add(call)
    },
    remove(call) {
      running.delete(call)
      settle()
    },
    async drain(limit) {
      isClosed = true
      settle()
      const timer = setTimeout(() => {
        for (const call of running) call.abort(fault())
      }, limit)
      await drained.promise
      clearTimeout(timer)
    },
  }
}
