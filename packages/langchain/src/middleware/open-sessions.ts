import { type ContextSession, createSerialQueue, errorText, type SerialQueue } from '@palimpsest/core'
import type { ThreadListener } from './context-engine-types.ts'

/** A session in memory, for the time of one call. */
export interface OpenSession {
  readonly session: ContextSession
  /** One call of the model at a time: what a session prepares and learns belongs to one prompt. */
  readonly queue: SerialQueue
  /** The id of the answer that was observed last. */
  lastAnswer: string | undefined
  /** The call is over: from now on the session may be ended to make room. */
  release(): void
}

/** The sessions in memory, by id, and their events. */
export interface OpenSessions {
  get(id: string): ContextSession | undefined
  /** Opens the session unless it is open. Rejects with what `create` throws. */
  take(id: string): Promise<OpenSession>
  /** Ends all. Rejects with the first error when all are over. */
  end(): Promise<void>
  subscribe(listener: ThreadListener): () => void
  /** Tells the listeners of something that was degraded. */
  warn(code: string, message: string, id: string): void
}

export function createOpenSessions(
  create: (id: string) => ContextSession,
  maxSessions: number,
): OpenSessions {
  /** The one that was quiet for longest is the first. */
  const sessions = new Map<string, OpenSession & { users: number }>()
  const ending = new Map<string, Promise<void>>()
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
  const open = (id: string) => {
    const session = create(id)
    session.subscribe((event) => emit(event, id))
    return {
      ...{ session, queue: createSerialQueue(), lastAnswer: undefined, users: 0 },
      release() {
        this.users--
      },
    }
  }
  const end = (id: string, { session }: OpenSession): Promise<void> => {
    sessions.delete(id)
    const ended = session.end().finally(() => ending.delete(id))
    ending.set(id, ended)
    return ended
  }
  const makeRoom = () => {
    for (const [id, quiet] of sessions) {
      if (sessions.size <= maxSessions) return
      if (quiet.users > 0) continue
      end(id, quiet).catch((error: unknown) =>
        warn('end-failed', `the session could not end well: ${errorText(error)}`, id),
      )
    }
  }

  return {
    get: (id) => sessions.get(id)?.session,
    async take(id) {
      // Its engine may still write what the next one reads.
      await ending.get(id)?.catch(() => {})
      const taken = sessions.get(id) ?? open(id)
      sessions.delete(id)
      sessions.set(id, taken)
      taken.users++
      makeRoom()
      return taken
    },
    async end() {
      const ended = [...sessions].map(([id, quiet]) => end(id, quiet))
      const results = await Promise.allSettled([...ending.values(), ...ended])
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    warn,
  }
}
