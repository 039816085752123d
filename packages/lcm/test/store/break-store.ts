import { wrapSessions } from '../../../sqlite-kit/test/wrap-sessions.ts'
import { createMemoryStore } from '../../src/memory/create-memory-store.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'

/** A store with one fault, and a case that must find it. */
export type BrokenStore = readonly [fault: string, found: string, create: () => LcmStore]

/** A store whose sessions have members that take the place of a sound session's. */
export function withSessions(change: (session: LcmSession) => Partial<LcmSession>): () => LcmStore {
  return () => {
    const wrap = (session: LcmSession): LcmSession => ({
      ...session,
      fork: async (input) => wrap(await session.fork(input)),
      ...change(session),
    })
    return wrapSessions(createMemoryStore(), wrap)
  }
}

export function withStore(change: (store: LcmStore) => Partial<LcmStore>): () => LcmStore {
  return () => {
    const store = createMemoryStore()
    return { ...store, ...change(store) }
  }
}
