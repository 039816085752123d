import type { SessionEvent, SessionListener } from './session-events.ts'

export interface EventHub {
  emit(event: SessionEvent): void
  subscribe(listener: SessionListener): () => void
}

/** Tells events to those who listen, in the order in which they came. What a listener throws is ignored. */
export function createEventHub(): EventHub {
  const listeners = new Set<SessionListener>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // A listener is the host's; its faults are not the session's.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
