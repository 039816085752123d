/** Aborts when nothing happened for a while. */
export interface IdleTimer {
  readonly signal: AbortSignal
  /** Something happened. */
  touch(): void
  stop(): void
}

/**
 * @param limit in milliseconds.
 * @param reason makes what the signal aborts with.
 */
export function createIdleTimer(limit: number, reason: () => Error): IdleTimer {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(reason()), limit)
  return {
    signal: controller.signal,
    touch: () => {
      timer.refresh()
    },
    stop: () => clearTimeout(timer),
  }
}
