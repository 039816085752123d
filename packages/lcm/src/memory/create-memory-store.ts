import { compareRefs } from '../dump/compare-refs.ts'
import { sessionName } from '../dump/walk-sessions.ts'
import { StoreError, sessionExists, sessionNotFound } from '../errors/store-error.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import type { LcmStore, SessionRef, StoreStats } from '../store/lcm-store.ts'
import { dumpRecords } from '../store-kit/dump-records.ts'
import { planSession } from '../store-kit/plan-write.ts'
import { sessionInfo } from '../store-kit/stored-session.ts'
import { createMemorySession, type MemoryHost } from './memory-session.ts'
import { mayMatch } from './read-candidates.ts'
import { recordsOf, restoreSessions } from './restore-sessions.ts'
import { createSessionState, type SessionState, writePlan } from './session-state.ts'

/** A store that lives as long as its process: for tests, and for sessions that are not continued. */
export function createMemoryStore(): LcmStore {
  const states = new Map<string, SessionState>()
  let closed = false
  const host: MemoryHost = {
    assertOpen() {
      if (closed) throw new StoreError('STORE_CLOSED', 'the store was closed; open it again')
    },
    states: () => states.values(),
    add(plan, parent) {
      const { session } = plan
      const name = sessionName(session)
      if (states.has(name)) throw sessionExists(session.key)
      const state = createSessionState(session, parent)
      writePlan(state, plan)
      states.set(name, state)
      return state
    },
  }
  const find = ({ principal = DEFAULT_PRINCIPAL, key }: SessionRef): SessionState | undefined => {
    host.assertOpen()
    return states.get(sessionName({ principal, key }))
  }

  return {
    kind: 'memory',
    location: 'memory',
    async session(ref, at) {
      const plan = planSession(ref, at)
      return createMemorySession(find(ref) ?? host.add(plan), host)
    },
    async find(ref) {
      const state = find(ref)
      return state === undefined ? null : createMemorySession(state, host)
    },
    async list({ principal, after, matching, limit }) {
      host.assertOpen()
      return [...states.values()]
        .filter(({ session }) => principal === undefined || session.principal === principal)
        .filter(({ session }) => after === undefined || compareRefs(session, after) > 0)
        .filter((state) => matching === undefined || mayMatch(state, matching))
        .map(({ session }) => sessionInfo(session))
        .sort(compareRefs)
        .slice(0, Math.max(0, limit))
    },
    async stats() {
      host.assertOpen()
      return statsOf(states.values())
    },
    async check() {
      host.assertOpen()
      return []
    },
    async repair() {
      host.assertOpen()
      return []
    },
    async *dump(ref) {
      const state = find(ref)
      if (state === undefined) throw sessionNotFound(ref.key)
      yield* dumpRecords(state.session, async (type, { first, last, limit }) =>
        recordsOf(state, type, first, Math.min(last, first + limit - 1)),
      )
    },
    async restore(records) {
      host.assertOpen()
      return restoreSessions(records, {
        find,
        put: (state) => states.set(sessionName(state.session), state),
        remove: (state) => states.delete(sessionName(state.session)),
      })
    },
    async close() {
      closed = true
      states.clear()
    },
  }
}

function statsOf(states: Iterable<SessionState>): StoreStats {
  const stats = { sessions: 0, messages: 0, summaries: 0, characters: 0 }
  for (const { session } of states) {
    const { messages, summaries } = sessionInfo(session)
    stats.sessions++
    stats.messages += messages
    stats.summaries += summaries
    stats.characters += session.characters
  }
  return stats
}
