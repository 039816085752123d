import type { Store } from './store.ts'

/** A store that follows a source while somebody looks, and rests while nobody does. The last value stays. */
export function followingStore<T>(
  initial: T,
  follow: (emit: (value: T) => void, signal: AbortSignal) => Promise<void>,
): Store<T> {
  let value = initial
  let stop: AbortController | undefined
  const listeners = new Set<() => void>()

  const start = () => {
    const controller = new AbortController()
    stop = controller
    const emit = (next: T) => {
      if (controller.signal.aborted) return
      value = next
      for (const listener of listeners) listener()
    }
    void follow(emit, controller.signal)
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) start()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop?.abort()
      }
    },
  }
}
