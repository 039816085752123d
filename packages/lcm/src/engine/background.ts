/** Work that goes on between turns, one piece at a time. */
export interface Background {
  /** Starts a piece, unless one is under way. What it throws is dropped: the next compaction does it again. */
  start(work: (signal: AbortSignal) => Promise<void>): void
  /** Ends what is under way and waits for its end. */
  stop(): Promise<void>
}

export function createBackground(): Background {
  let controller: AbortController | undefined
  let running: Promise<void> | undefined
  return {
    start(work) {
      if (running !== undefined) return
      controller = new AbortController()
      running = work(controller.signal)
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    async stop() {
      controller?.abort(new Error('the engine was stopped'))
      await running
    },
  }
}
