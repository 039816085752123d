import type { ContextSession } from '@palimpsest/core'

/** A session in memory, for the time of one call. */
export interface OpenSession {
  readonly session: ContextSession
  /** The id of the answer that was observed last. */
  lastAnswer: string | undefined
  /** The call is over: from now on the session may be ended to make room. */
  release(): void
}

/** The sessions in memory, by id. */
export interface OpenSessions {
  get(id: string): ContextSession | undefined
  /** Opens the session unless it is open. Rejects with what `create` throws. */
  take(id: string): Promise<OpenSession>
  /** Ends all. Rejects with the first error when all are over. */
  end(): Promise<void>
}

/** @param fault Hears of a session that was ended to make room and could not end well. */
export function createOpenSessions(
  create: (id: string) => ContextSession,
  maxSessions: number,
  fault: (error: unknown, id: string) => void,
): OpenSessions {
  /** The one that was quiet for longest is the first. */
  const sessions = new Map<string, OpenSession & { users: number }>()
  const ending = new Map<string, Promise<void>>()

  const open = (id: string) => ({
    session: create(id),
    lastAnswer: undefined,
    users: 0,
    release() {
      this.users--
    },
  })
  const end = (id: string, { session }: OpenSession): Promise<void> => {
    sessions.delete(id)
    const ended = session.end().finally(() => ending.delete(id))
    ending.set(id, ended)
    return ended
  }
  const makeRoom = () => {
    for (const [id, quiet] of sessions) {
      if (sessions.size <= maxSessions) return
      if (quiet.users === 0) end(id, quiet).catch((error: unknown) => fault(error, id))
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
  }
}
