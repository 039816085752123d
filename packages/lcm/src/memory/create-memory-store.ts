import { compareRefs } from '../dump/compare-refs.ts'
import { StoreError } from '../errors/store-error.ts'
import { checkTime } from '../store/check-input.ts'
import { checkKey } from '../store/check-key.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import type { LcmStore, SessionInfo, SessionRef, StoreStats } from '../store/lcm-store.ts'
import { dumpSession } from './dump-session.ts'
import { mayMatch } from './may-match.ts'
import { createMemorySession, type MemoryHost } from './memory-session.ts'
import { restoreSessions } from './restore-sessions.ts'
import { createSessionState, pushVersion, type SessionState } from './session-state.ts'

/** A store that forgets everything with its process: for tests, and for sessions that nobody comes back to. */
export function createMemoryStore(): LcmStore {
  const states = new Map<string, SessionState>()
  let closed = false
  const host: MemoryHost = {
    assertOpen() {
      if (closed) throw new StoreError('STORE_CLOSED', 'the store was closed; open it again')
    },
    states: () => states.values(),
    add(state) {
      const id = idOf(state)
      if (states.has(id))
        throw new StoreError('EXISTS', `there is a session ${state.key} already; choose another key`)
      states.set(id, state)
    },
  }

  return {
    kind: 'memory',
    location: 'memory',
    async session({ principal = DEFAULT_PRINCIPAL, key }, at) {
      host.assertOpen()
      checkKey(key)
      checkTime('at', at)
      const known = states.get(idOf({ principal, key }))
      if (known !== undefined) return createMemorySession(known, host)
      const state = createSessionState({ principal, key, createdAt: at })
      pushVersion(state, 'start', at, [])
      host.add(state)
      return createMemorySession(state, host)
    },
    async find({ principal = DEFAULT_PRINCIPAL, key }) {
      host.assertOpen()
      const state = states.get(idOf({ principal, key }))
      return state === undefined ? null : createMemorySession(state, host)
    },
    async list({ principal, after, matching, limit }) {
      host.assertOpen()
      const listed = [...states.values()]
        .filter((state) => principal === undefined || state.principal === principal)
        .filter((state) => after === undefined || compareRefs(state, after) > 0)
        .filter((state) => matching === undefined || mayMatch(state, matching))
      return listed.sort(compareRefs).slice(0, Math.max(0, limit)).map(infoOf)
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
      host.assertOpen()
      const state = states.get(idOf(ref))
      if (state === undefined) throw new StoreError('NOT_FOUND', `there is no session ${ref.key}`)
      yield* dumpSession(state)
    },
    async restore(records) {
      host.assertOpen()
      return restoreSessions(records, {
        find: (ref) => states.get(idOf(ref)),
        put(state) {
          host.assertOpen()
          states.set(idOf(state), state)
        },
      })
    },
    async close() {
      closed = true
      states.clear()
    },
  }
}

/** No two sessions have the same one, whatever characters their names hold. */
function idOf({ principal, key }: Required<SessionRef>): string {
  return JSON.stringify([principal, key])
}

function infoOf({ principal, key, createdAt, messages, summaries }: SessionState): SessionInfo {
  const lastAt = messages.at(-1)?.at ?? createdAt
  return { principal, key, messages: messages.length, summaries: summaries.length, createdAt, lastAt }
}

function statsOf(states: Iterable<SessionState>): StoreStats {
  let [sessions, messages, summaries, characters] = [0, 0, 0, 0]
  for (const state of states) {
    sessions++
    messages += state.messages.length
    summaries += state.summaries.length
    for (const { json } of state.messages) characters += json.length
  }
  return { sessions, messages, summaries, characters }
}
