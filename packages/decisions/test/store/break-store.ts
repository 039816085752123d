import { wrapSessions } from '../../../sqlite-kit/test/wrap-sessions.ts'
import { createMemoryDecisionStore } from '../../src/memory/create-memory-store.ts'
import type { DecisionSession, DecisionStore } from '../../src/store/decision-store.ts'

/** A store with one fault, and a case that must find it. */
export type BrokenStore = readonly [fault: string, found: string, create: () => DecisionStore]

/** A store whose sessions have members that take the place of a sound session's. */
export function withSessions(
  change: (session: DecisionSession) => Partial<DecisionSession>,
): () => DecisionStore {
  return () =>
    wrapSessions(createMemoryDecisionStore(), (session: DecisionSession) => ({
      ...session,
      ...change(session),
    }))
}

export function withStore(change: (store: DecisionStore) => Partial<DecisionStore>): () => DecisionStore {
  return () => {
    const store = createMemoryDecisionStore()
    return { ...store, ...change(store) }
  }
}
