/** One call, until its answer is over. */
export interface RunningCall {
  /** Aborts when the caller goes away, when a shutdown cannot wait any longer, and when the call is stopped. */
  readonly signal: AbortSignal
  /** The caller reads no more. */
  abandon(): void
  /** It cannot go on. */
  stop(reason: Error): void
  /** May be called more than once. */
  end(): void
}

/** The calls that are being answered. */
export interface RunningCalls {
  /**
   * @param caller aborted when the caller goes away. Servers abort it with whatever they like.
   * @throws the fault of a shutdown when no more calls are taken.
   */
  begin(caller: AbortSignal): RunningCall
  /** Takes no more, and resolves when all are over; those that take longer than `limit` milliseconds are aborted. */
  drain(limit: number): Promise<void>
}

/**
 * @param shutdownFault refuses a call, and ends one that takes too long, because the service ends.
 * @param goneFault ends a call whose caller went away. Default: the reason of the caller's signal.
 */
export function createRunningCalls(shutdownFault: () => Error, goneFault?: () => Error): RunningCalls {
  const running = new Set<AbortController>()
  const drained = Promise.withResolvers<void>()
  let isClosed = false
  const settle = () => {
    if (isClosed && running.size === 0) drained.resolve()
  }
  return {
    begin(caller) {
      if (isClosed) throw shutdownFault()
      const controller = new AbortController()
      const abandon = () => controller.abort(goneFault?.() ?? caller.reason)
      running.add(controller)
      if (caller.aborted) abandon()
      else caller.addEventListener('abort', abandon, { once: true })
      return {
        signal: controller.signal,
        abandon,
        stop: (reason) => controller.abort(reason),
        end() {
          running.delete(controller)
          settle()
        },
      }
    },
    async drain(limit) {
      isClosed = true
      settle()
      const timer = setTimeout(() => {
        for (const call of running) call.abort(shutdownFault())
      }, limit)
      await drained.promise
      clearTimeout(timer)
    },
  }
}
