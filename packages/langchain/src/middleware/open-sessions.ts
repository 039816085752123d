import {
  type ContextSession,
  createSerialQueue,
  createSessionPool,
  errorText,
  type SerialQueue,
  type SessionPool,
} from '@palimpsest/core'
import type { ThreadListener } from './context-engine-types.ts'

/** A session in memory. */
export interface OpenSession {
  readonly session: ContextSession
  /** One call of the model at a time: what a session prepares and learns belongs to one prompt. */
  readonly queue: SerialQueue
  /** The id of the answer that was observed last. */
  lastAnswer: string | undefined
}

/** The sessions in memory, by id, and their events. */
export interface OpenSessions extends Pick<SessionPool<OpenSession>, 'get' | 'use' | 'close'> {
  subscribe(listener: ThreadListener): () => void
  /** Tells the listeners of something that was degraded. */
  warn(code: string, message: string, id: string): void
}

export function createOpenSessions(create: (id: string) => ContextSession, limit: number): OpenSessions {
  const listeners = new Set<ThreadListener>()
  const emit: ThreadListener = (event, id) => {
    for (const listener of listeners) {
      try {
        listener(event, id)
      } catch {
        // A listener's fault is its own.
      }
    }
  }
  const warn = (code: string, message: string, id: string) =>
    emit({ type: 'warning', warning: { code, message } }, id)
  const pool = createSessionPool<OpenSession>({
    limit,
    open(id) {
      const session = create(id)
      session.subscribe((event) => emit(event, id))
      return { session, queue: createSerialQueue(), lastAnswer: undefined }
    },
    end: ({ session }) => session.end(),
    endFailed: (error, id) => warn('end-failed', `the session could not end well: ${errorText(error)}`, id),
  })
  return {
    ...pool,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    warn,
  }
}
