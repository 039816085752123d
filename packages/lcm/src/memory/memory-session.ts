import { versionNotFound } from '../errors/store-error.ts'
import { isReplaced } from '../history/replaced-ranges.ts'
import { hashMessage } from '../messages/encode-message.ts'
import { checkTime } from '../store/check-input.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { planLease, planRelease } from '../store-kit/plan-lease.ts'
import { planAppend, planCommit, planFork, type WritePlan } from '../store-kit/plan-write.ts'
import { headOf, leaseOf, type StoredSession } from '../store-kit/stored-session.ts'
import { forgetMessages } from './forget-messages.ts'
import { messageCandidates, summaryCandidates } from './read-candidates.ts'
import { knownRows, messageAt, messagesOf, type SessionState, summaryAt, writePlan } from './session-state.ts'

export interface MemoryHost {
  /** @throws StoreError `STORE_CLOSED` */
  assertOpen(): void
  states(): Iterable<SessionState>
  /** Writes a new session. @throws StoreError `EXISTS` */
  add(plan: WritePlan, parent?: SessionState): SessionState
}

/** A handle of one session. Handles hold nothing of their own: any number of them may be open. */
export function createMemorySession(state: SessionState, host: MemoryHost): LcmSession {
  const { principal, key } = state.session
  const rows = knownRows(state)
  const nodesOf = (numbers: readonly number[]) =>
    numbers.map((number) => summaryAt(state, number)).filter((node) => node !== undefined)
  const open = (): StoredSession => {
    host.assertOpen()
    return state.session
  }

  return {
    principal,
    key,
    async head() {
      return headOf(open())
    },
    async append(input) {
      writePlan(state, planAppend(open(), input, rows))
      return headOf(state.session)
    },
    async messages(query) {
      open()
      return take(messagesOf(state, query), query.limit).map(({ row, replaced }) => {
        const { text: _, ...message } = row
        return { ...message, replaced }
      })
    },
    async compare(seqs, messages) {
      open()
      return messages.map((message, index) => {
        const seq = seqs[index] ?? -1
        const row = isReplaced(state.session.replaced, seq) ? undefined : messageAt(state, seq)
        return row?.hash === hashMessage(message)
      })
    },
    async candidates(query) {
      open()
      return take(messageCandidates(state, query), query.limit)
    },
    async summaryCandidates(query) {
      open()
      return take(summaryCandidates(state, query), query.limit)
    },
    async frontier(version = open().version) {
      open()
      const frontier = state.frontiers[version]
      if (frontier === undefined) throw versionNotFound(key, version)
      return { version, nodes: nodesOf(frontier.summaries) }
    },
    async versions({ before = Number.POSITIVE_INFINITY, limit }) {
      open()
      const end = Math.max(0, Math.min(before, state.frontiers.length))
      return state.frontiers
        .slice(Math.max(0, end - limit), end)
        .reverse()
        .map(({ summaries: _, ...version }): FrontierVersion => version)
    },
    async summaries(numbers) {
      open()
      return nodesOf(numbers)
    },
    async commit(input) {
      writePlan(state, planCommit(open(), input, rows))
      return { version: state.session.version, nodes: nodesOf(input.summaries) }
    },
    async fork(input) {
      return createMemorySession(host.add(planFork(open(), input, rows), state), host)
    },
    async forget(input) {
      open()
      checkTime('at', input.at)
      return forgetMessages(state, host.states(), input)
    },
    async acquireLease(request) {
      const leased = planLease(open(), request)
      if (leased !== undefined) state.session = leased
      return (leased && leaseOf(leased)) ?? null
    },
    async releaseLease(lease) {
      state.session = planRelease(open(), lease) ?? state.session
    },
  }
}

/** The first values of an iterable, `limit` at most; no more than these are read. */
export function take<T>(values: Iterable<T>, limit: number): T[] {
  const taken: T[] = []
  if (!(limit > 0)) return taken
  for (const value of values) {
    taken.push(value)
    if (taken.length >= limit) break
  }
  return taken
}
