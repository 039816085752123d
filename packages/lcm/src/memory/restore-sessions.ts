import { createRecordChecker } from '../dump/create-record-checker.ts'
import { encodeRecord } from '../dump/encode-record.ts'
import { asInvalidDump, invalidDump } from '../dump/invalid-dump.ts'
import { checkNewSummaries } from '../history/check-frontier.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import { checkContinues } from './check-continues.ts'
import { freezeNode } from './freeze-node.ts'
import {
  createSessionState,
  type MessageRow,
  nextSeq,
  nextSummary,
  type SessionState,
  summaryAt,
} from './session-state.ts'

type SessionRecord = Extract<DumpRecord, { type: 'session' }>

/** Where restored sessions go. */
interface RestoreTarget {
  find(ref: Required<SessionRef>): SessionState | undefined
  put(state: SessionState): void
}

/** Reads all records, checks them, and only then writes: a restore that fails has changed nothing. */
export async function restoreSessions(
  records: AsyncIterable<DumpRecord>,
  target: RestoreTarget,
): Promise<{ sessions: number; messages: number }> {
  const checker = createRecordChecker()
  const staged: SessionState[] = []
  for await (const record of records) {
    checker.take(record)
    const current = staged.at(-1)
    if (record.type === 'session') staged.push(beginSession(record, staged, target))
    else if (current !== undefined) addRecord(current, record)
  }
  checker.end()
  const behind = new Set<SessionState>()
  for (const state of staged) {
    const existing = target.find(state)
    if (existing !== undefined && !checkContinues(existing, state)) behind.add(state)
  }
  return writeSessions(staged, behind, target)
}

function beginSession(
  record: SessionRecord,
  staged: readonly SessionState[],
  target: RestoreTarget,
): SessionState {
  const { principal, key, createdAt, parent, replaced } = record
  const isParent = (other: SessionState) => other.principal === principal && other.key === parent?.key
  const origin = parent && (staged.find(isParent) ?? target.find({ principal, key: parent.key }))
  const reaches = origin && parent.seq <= nextSeq(origin) && parent.summary <= nextSummary(origin)
  if (parent !== undefined && reaches !== true)
    throw invalidDump(`the session ${key} was forked from ${parent.key}, which does not come before it`)
  const state = createSessionState({
    ...{ principal, key, createdAt },
    ...(origin && { parent: { state: origin, seq: parent.seq, summary: parent.summary } }),
  })
  state.replaced = replaced.map(({ first, last }) => ({ first, last }))
  return state
}

function addRecord(state: SessionState, record: Exclude<DumpRecord, SessionRecord>): void {
  if (record.type === 'message') state.messages.push(messageRow(record))
  else if (record.type === 'summary') {
    const isThere = (number: number) => summaryAt(state, number) !== undefined
    asInvalidDump(() => checkNewSummaries([record], nextSummary(state), isThere))
    state.summaries.push(freezeNode(record.forgotten === undefined ? record : { ...record, text: '' }))
  } else {
    const { version, reason, nextSeq, at, summaries } = record
    if (summaries.some((number) => summaryAt(state, number) === undefined))
      throw invalidDump(`version ${version} of ${state.key} names a summary that is not there`)
    state.versions.push(
      Object.freeze({ version, reason, nextSeq, at, summaries: Object.freeze([...summaries]) }),
    )
  }
}

function messageRow(record: Extract<DumpRecord, { type: 'message' }>): MessageRow {
  const { shape: _, ...message } = encodeRecord(record)
  Object.freeze(message.forgotten)
  return Object.freeze({ seq: record.seq, ...message })
}

/** `behind`: those that bring nothing new. */
function writeSessions(
  staged: readonly SessionState[],
  behind: ReadonlySet<SessionState>,
  target: RestoreTarget,
) {
  const written = { sessions: 0, messages: 0 }
  const final = new Map<SessionState, SessionState>()
  for (const state of staged) {
    const { parent } = state
    const rooted =
      parent === undefined
        ? state
        : { ...state, parent: { ...parent, state: final.get(parent.state) ?? parent.state } }
    const existing = target.find(state)
    const before = existing?.messages.length ?? 0
    final.set(state, existing ?? rooted)
    if (behind.has(state)) continue
    if (existing === undefined) target.put(rooted)
    else continueSession(existing, state)
    written.sessions++
    written.messages += state.messages.length - before
  }
  return written
}

/** Adds what the other one has more. */
function continueSession(existing: SessionState, other: SessionState): void {
  for (const row of other.messages.slice(existing.messages.length)) existing.messages.push(row)
  for (const node of other.summaries.slice(existing.summaries.length)) existing.summaries.push(node)
  for (const version of other.versions.slice(existing.versions.length)) existing.versions.push(version)
  existing.replaced = other.replaced
}
