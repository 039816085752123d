import { parseOptions } from '@palimpsest/core/options'
import { StoreError } from '../errors/store-error.ts'
import type { Scope } from '../log/decision-event.ts'
import {
  DEFAULT_PRINCIPAL,
  type DecisionSessionInfo,
  type DecisionSessionRef,
  type DecisionStore,
} from '../store/decision-store.ts'
import { timeSchema } from '../store/event-schema.ts'
import { checkRef } from '../store-kit/create-session.ts'
import { createMemorySession, type MemoryState, readEvents, type SessionState } from './memory-session.ts'

/** A store that forgets everything with its process: for tests, and for sessions that end with it. */
export function createMemoryDecisionStore(): DecisionStore {
  const state: MemoryState = { sessions: new Map(), logs: new Map(), lastSeq: 0 }
  let closed = false
  const assertOpen = (): void => {
    if (closed) throw new StoreError('STORE_CLOSED', 'the store was closed; open it again')
  }
  const find = (ref: DecisionSessionRef): SessionState | undefined => state.sessions.get(idOf(checkRef(ref)))

  return {
    kind: 'memory',
    location: 'memory',
    async session(ref, at) {
      assertOpen()
      parseOptions(timeSchema(), at, 'at')
      const session = find(ref) ?? newSession(checkRef(ref), at)
      state.sessions.set(idOf(session), session)
      return createMemorySession(state, session, assertOpen)
    },
    async find(ref) {
      assertOpen()
      const session = find(ref)
      return session === undefined ? null : createMemorySession(state, session, assertOpen)
    },
    async list({ principal } = {}) {
      assertOpen()
      return [...state.sessions.values()]
        .reverse()
        .filter((session) => principal === undefined || session.principal === principal)
        .sort((left, right) => right.lastAt - left.lastAt)
        .map(infoOf)
    },
    async events({ principal = DEFAULT_PRINCIPAL, ...query }) {
      assertOpen()
      return readEvents(state.logs.get(principal), query)
    },
    async scopes(principal = DEFAULT_PRINCIPAL) {
      assertOpen()
      return [...(state.logs.get(principal)?.scopes.keys() ?? [])] as Scope[]
    },
    async close() {
      closed = true
      state.sessions.clear()
      state.logs.clear()
    },
  }
}

/** No two sessions have the same one, whatever characters their names hold. */
function idOf({ principal, key }: Required<DecisionSessionRef>): string {
  return JSON.stringify([principal, key])
}

function newSession({ principal, key }: Required<DecisionSessionRef>, at: number): SessionState {
  const empty = { events: 0, sources: [], artifacts: [], jobs: new Map(), summary: null }
  return { principal, key, createdAt: at, lastAt: at, ...empty }
}

function infoOf({
  principal,
  key,
  createdAt,
  lastAt,
  sources,
  events,
  jobs,
}: SessionState): DecisionSessionInfo {
  const pendingJobs = [...jobs.values()].filter(({ finished }) => !finished).length
  return { principal, key, messages: sources.length, events, pendingJobs, createdAt, lastAt }
}
