import { StoreError } from '../errors/store-error.ts'
import { checkFrontier, checkNewSummaries } from '../history/check-frontier.ts'
import { checkCut, checkLease, checkNextSeq, checkVersion } from '../history/check-writer.ts'
import { rangesBefore, replaceFrom } from '../history/replaced-ranges.ts'
import { checkAppend, checkCommit, checkLeaseRequest, checkTime } from '../store/check-input.ts'
import { checkKey } from '../store/check-key.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { AppendInput, LcmSession, SessionHead } from '../store/lcm-session.ts'
import { forgetMessages } from './forget-messages.ts'
import { freezeNode } from './freeze-node.ts'
import { frontierContext } from './frontier-context.ts'
import { acquireLease, releaseLease } from './lease.ts'
import { messageCandidates, summaryCandidates } from './read-candidates.ts'
import {
  createSessionState,
  currentVersion,
  type MessageRow,
  messagesOf,
  nextSeq,
  nextSummary,
  pushVersion,
  type SessionState,
  summaryAt,
} from './session-state.ts'
import { take } from './take.ts'

/** What a session needs of the store that it lives in. */
export interface MemoryHost {
  /** @throws StoreError `STORE_CLOSED` */
  assertOpen(): void
  states(): Iterable<SessionState>
  /** @throws StoreError `EXISTS` */
  add(state: SessionState): void
}

/** A handle of one session. Handles hold nothing of their own: any number of them may be open. */
export function createMemorySession(state: SessionState, host: MemoryHost): LcmSession {
  const find = (number: number) => summaryAt(state, number)
  const nodesOf = (numbers: readonly number[]) => numbers.map(find).filter((node) => node !== undefined)

  return {
    principal: state.principal,
    key: state.key,
    async head() {
      host.assertOpen()
      return headOf(state)
    },
    async append(input) {
      host.assertOpen()
      appendMessages(state, input)
      return headOf(state)
    },
    async messages(query) {
      host.assertOpen()
      return take(messagesOf(state, query), query.limit).map(({ row, replaced }) => {
        const { text: _, ...message } = row
        return { ...message, replaced }
      })
    },
    async hashes({ first, last, limit }) {
      host.assertOpen()
      return take(messagesOf(state, { first, last }), limit).map(({ row: { seq, hash } }) => ({ seq, hash }))
    },
    async candidates(query) {
      host.assertOpen()
      return take(messageCandidates(state, query), query.limit)
    },
    async summaryCandidates(query) {
      host.assertOpen()
      return take(summaryCandidates(state, query), query.limit)
    },
    async frontier(version = currentVersion(state).version) {
      host.assertOpen()
      const row = state.versions[version]
      if (row === undefined)
        throw new StoreError('NOT_FOUND', `${state.key} has no frontier version ${version}`)
      return { version, nodes: nodesOf(row.summaries) }
    },
    async versions({ before = Number.POSITIVE_INFINITY, limit }) {
      host.assertOpen()
      const end = Math.max(0, Math.min(before, state.versions.length))
      const rows = state.versions.slice(Math.max(0, end - limit), end).reverse()
      return rows.map(
        ({ version, reason, nextSeq, at }): FrontierVersion => ({ version, reason, nextSeq, at }),
      )
    },
    async summaries(numbers) {
      host.assertOpen()
      return nodesOf(numbers)
    },
    async commit(input) {
      host.assertOpen()
      checkCommit(input)
      checkVersion(currentVersion(state).version, input.version)
      if (input.lease !== undefined) checkLease(state.lease, input.lease)
      const base = nextSummary(state)
      checkNewSummaries(input.create, base, (number) => find(number) !== undefined)
      const created = input.create.map(freezeNode)
      checkFrontier(input.summaries, {
        ...frontierContext(state),
        find: (number) => created[number - base] ?? find(number),
      })
      for (const node of created) state.summaries.push(node)
      const version = pushVersion(state, input.reason, input.at, input.summaries)
      return { version, nodes: nodesOf(input.summaries) }
    },
    async fork({ key, seq, summaries, at }) {
      host.assertOpen()
      checkKey(key)
      checkTime('at', at)
      checkCut(state.key, nextSeq(state), seq, 'fork at')
      const parent = { state, seq, summary: nextSummary(state) }
      const child = createSessionState({ principal: state.principal, key, createdAt: at, parent })
      child.replaced = rangesBefore(state.replaced, seq)
      checkFrontier(summaries, frontierContext(child))
      pushVersion(child, 'fork', at, summaries)
      host.add(child)
      return createMemorySession(child, host)
    },
    async forget(input) {
      host.assertOpen()
      checkTime('at', input.at)
      return forgetMessages(state, host.states(), input)
    },
    async acquireLease(request) {
      host.assertOpen()
      checkLeaseRequest(request)
      return acquireLease(state, request)
    },
    async releaseLease(lease) {
      host.assertOpen()
      releaseLease(state, lease)
    },
  }
}

function appendMessages(state: SessionState, input: AppendInput): void {
  const { nextSeq: known, version, messages, at, replace } = input
  checkAppend(input)
  const next = nextSeq(state)
  checkNextSeq(state.key, next, known)
  if (version !== undefined || replace !== undefined) checkVersion(currentVersion(state).version, version)
  let replaced = state.replaced
  if (replace !== undefined) {
    checkCut(state.key, next, replace.from, 'replace from')
    replaced = replaceFrom(state.replaced, replace.from, next - 1)
    checkFrontier(replace.summaries, { ...frontierContext(state), replaced })
  }
  const rows = messages.map(
    ({ role, hostId, tokens, hash, json, text, at: own }, index): MessageRow =>
      Object.freeze({
        ...{ seq: next + index, role, at: own ?? at, tokens, hash, json, text },
        ...(hostId === undefined ? {} : { hostId }),
      }),
  )
  state.replaced = replaced
  // The version is of the moment before the new messages: they are what the edit put in the place of the old ones.
  if (replace !== undefined) pushVersion(state, 'edit', at, replace.summaries)
  for (const row of rows) state.messages.push(row)
}

function headOf(state: SessionState): SessionHead {
  const { replaced, createdAt, parent } = state
  return {
    nextSeq: nextSeq(state),
    nextSummary: nextSummary(state),
    version: currentVersion(state).version,
    replaced: replaced.map(({ first, last }) => ({ first, last })),
    createdAt,
    ...(parent === undefined ? {} : { parent: { key: parent.state.key, seq: parent.seq } }),
  }
}
