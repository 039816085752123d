/** Listeners that are told of many changes at once: at most one call per turn of the event loop. */
export interface Coalescer {
  touch(): void
  /** Returns how to stop. */
  subscribe(listener: () => void): () => void
}

export function createCoalescer(): Coalescer {
  const listeners = new Set<() => void>()
  let isWaiting = false
  const tell = (): void => {
    isWaiting = false
    for (const listener of listeners) {
      try {
        listener()
      } catch {
        // A listener's faults are its own.
      }
    }
  }
  return {
    touch() {
      if (isWaiting || listeners.size === 0) return
      isWaiting = true
      setImmediate(tell)
    },
    subscribe(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}
