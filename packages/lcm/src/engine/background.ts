import type { SerialQueue } from '@palimpsest/core'

/** Work that goes on between turns, one piece at a time. */
export interface Background {
  readonly isBusy: boolean
  /** Starts a piece, unless one is under way. What it throws is dropped: the next compaction does it again. */
  start(work: (signal: AbortSignal) => Promise<void>): void
  stop(): Promise<void>
}

/** `enqueue` keeps the work apart from other work on the same session. */
export function createBackground(enqueue: SerialQueue): Background {
  let controller: AbortController | undefined
  let running: Promise<void> | undefined
  /** The piece itself: an abort takes it out of the queue before it has given back what it held. */
  let piece: Promise<void> | undefined
  return {
    get isBusy() {
      return running !== undefined
    },
    start(work) {
      if (running !== undefined) return
      controller = new AbortController()
      const { signal } = controller
      const begin = () => {
        piece = work(signal)
        return piece
      }
      running = enqueue(begin, signal)
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    async stop() {
      controller?.abort(new Error('the work in the background was stopped'))
      await running
      await piece?.catch(() => {})
    },
  }
}
