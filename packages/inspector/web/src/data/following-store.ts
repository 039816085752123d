import type { Store } from './store.ts'

/** Runs something while a person looks at the page, and ends it in between. Returns how to end it for good. */
export type WhileSeen = (run: (signal: AbortSignal) => void) => () => void

interface FollowingStoreOptions<T> {
  readonly initial: T
  readonly follow: (emit: (value: T) => void, signal: AbortSignal) => Promise<void>
  readonly whileSeen: WhileSeen
}

/** A store that follows a source while it has listeners. The last value stays. */
export function followingStore<T>({ initial, follow, whileSeen }: FollowingStoreOptions<T>): Store<T> {
  let value = initial
  let stop = () => {}
  const listeners = new Set<() => void>()

  const run = (signal: AbortSignal) => {
    const emit = (next: T) => {
      if (signal.aborted) return
      value = next
      for (const listener of listeners) listener()
    }
    void follow(emit, signal)
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) stop = whileSeen(run)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
  }
}
