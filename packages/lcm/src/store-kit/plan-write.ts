import { orderedNode } from '../dump/dump-line.ts'
import { StoreConflictError, StoreError } from '../errors/store-error.ts'
import { checkFrontier, checkNewSummaries, type KnownRows } from '../history/check-frontier.ts'
import { rangesBefore, replaceFrom } from '../history/replaced-ranges.ts'
import { checkAppend, checkCommit, checkKey, checkTime } from '../store/check-input.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import type { FrontierReason } from '../store/frontier.ts'
import type { AppendInput, CommitInput, LcmSession } from '../store/lcm-session.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import type { EncodedMessage, StoredMessage } from '../store/stored-message.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { checkNextNumber } from './row-numbers.ts'
import { leaseOf, type StoredFrontier, type StoredSession } from './stored-session.ts'

/** A message with its number, as a store writes it down. */
export type NewMessage = Omit<EncodedMessage, 'at'> & Pick<StoredMessage, 'seq' | 'at' | 'forgotten'>

/** A write, as one transaction. Rows stand behind those that the session has. */
export interface WritePlan {
  readonly session: StoredSession
  readonly messages: readonly NewMessage[]
  /** Children before parents. */
  readonly summaries: readonly SummaryNode[]
  readonly frontiers: readonly StoredFrontier[]
}

/** A new session. @throws InvalidOptionError `key`, `at` */
export function planSession({ principal = DEFAULT_PRINCIPAL, key }: SessionRef, at: number): WritePlan {
  checkTime('at', at)
  checkKey(key)
  return begin(newSession({ principal, key, createdAt: at }), 'start', [])
}

/**
 * Messages behind the last one, in the place of others with `replace`.
 *
 * @throws InvalidOptionError; StoreConflictError; StoreError `NOT_FOUND`, `INVALID_FRONTIER`
 */
export function planAppend(session: StoredSession, input: AppendInput, rows: KnownRows): WritePlan {
  const { messages, at, replace } = input
  const { key, nextSeq } = session
  checkAppend(input)
  if (input.nextSeq !== nextSeq)
    throw new StoreConflictError(
      `${key} goes on at m${nextSeq}, not at m${input.nextSeq}: another writer was faster; read its head again`,
    )
  if (input.version !== undefined || replace !== undefined) checkVersion(session, input.version)
  checkNextNumber(nextSeq + messages.length)
  // The version is of the moment before the new messages: they are what the edit put in the place of the old ones.
  const edit = replace === undefined ? unchanged(session) : planReplace(session, { ...replace, at }, rows)
  return { ...edit, ...addMessages(edit.session, messages, at) }
}

function planReplace(
  session: StoredSession,
  { from, summaries, at }: NonNullable<AppendInput['replace']> & { readonly at: number },
  rows: KnownRows,
): WritePlan {
  const { nextSeq } = session
  checkCut(session, from, 'replace from')
  const edited = { ...session, replaced: replaceFrom(session.replaced, from, nextSeq - 1) }
  checkFrontier(summaries, edited, rows)
  return { ...unchanged(edited), ...addFrontier(edited, { reason: 'edit', at, summaries }) }
}

function addMessages(
  session: StoredSession,
  messages: AppendInput['messages'],
  at: number,
): Pick<WritePlan, 'session' | 'messages'> {
  const { nextSeq } = session
  const added = messages.map(
    (message, index): NewMessage => ({ ...message, seq: nextSeq + index, at: message.at ?? at }),
  )
  return { session: withMessages(session, added), messages: added }
}

export function withMessages(session: StoredSession, added: readonly NewMessage[]): StoredSession {
  return {
    ...session,
    nextSeq: session.nextSeq + added.length,
    lastAt: added.at(-1)?.at ?? session.lastAt,
    characters: added.reduce((sum, { json }) => sum + json.length, session.characters),
  }
}

/**
 * Summaries, and a list of them as the frontier.
 *
 * @throws InvalidOptionError; StoreConflictError; StoreError `INVALID_FRONTIER`
 */
export function planCommit(session: StoredSession, input: CommitInput, rows: KnownRows): WritePlan {
  const { create, summaries, reason, at, lease } = input
  const { nextSummary } = session
  checkCommit(input)
  checkVersion(session, input.version)
  const current = leaseOf(session)
  if (lease !== undefined && (current?.token !== lease.token || current.holder !== lease.holder))
    throw new StoreConflictError(`the lease ${lease.token} of ${lease.holder} is lost; acquire it again`)
  checkNextNumber(nextSummary + create.length)
  checkNewSummaries(create, nextSummary, (number) => rows.coverOf(number) !== undefined)
  const created = create.map(orderedNode)
  checkFrontier(summaries, session, {
    roleOf: rows.roleOf,
    coverOf: (number) => created[number - nextSummary] ?? rows.coverOf(number),
  })
  const longer = { ...session, nextSummary: nextSummary + created.length }
  return { messages: [], summaries: created, ...addFrontier(longer, { reason, at, summaries }) }
}

/**
 * A new session that shares everything before a message. `rows` are the ones of the session that it is forked from.
 *
 * @throws InvalidOptionError; StoreError `NOT_FOUND`, `INVALID_FRONTIER`
 */
export function planFork(
  parent: StoredSession,
  { key, seq, summaries, at }: Parameters<LcmSession['fork']>[0],
  rows: KnownRows,
): WritePlan {
  checkTime('at', at)
  checkKey(key)
  checkCut(parent, seq, 'fork at')
  const origin = { key: parent.key, seq, summary: parent.nextSummary }
  const fresh = newSession({ principal: parent.principal, key, createdAt: at, parent: origin })
  const child = { ...fresh, replaced: rangesBefore(parent.replaced, seq) }
  checkFrontier(summaries, child, rows)
  return begin(child, 'fork', summaries)
}

/** The version by which a live writer notices that content was deleted: the list is the one before it. */
export function planForget(
  session: StoredSession,
  { at, summaries }: Pick<StoredFrontier, 'at' | 'summaries'>,
): WritePlan {
  return { ...unchanged(session), ...addFrontier(session, { reason: 'forget', at, summaries }) }
}

export function newSession(
  identity: Pick<StoredSession, 'principal' | 'key' | 'createdAt' | 'parent'>,
): StoredSession {
  const { createdAt: lastAt, parent } = identity
  const numbers = { nextSeq: parent?.seq ?? 0, nextSummary: parent?.summary ?? 1, version: -1 }
  return { ...identity, ...numbers, lastAt, replaced: [], characters: 0, leaseToken: 0 }
}

export function unchanged(session: StoredSession): WritePlan {
  return { session, messages: [], summaries: [], frontiers: [] }
}

function begin(session: StoredSession, reason: FrontierReason, summaries: readonly number[]): WritePlan {
  return { ...unchanged(session), ...addFrontier(session, { reason, at: session.createdAt, summaries }) }
}

function addFrontier(
  session: StoredSession,
  { reason, at, summaries }: Pick<StoredFrontier, 'reason' | 'at' | 'summaries'>,
): Pick<WritePlan, 'session' | 'frontiers'> {
  const version = session.version + 1
  const frontier = { version, reason, nextSeq: session.nextSeq, at, summaries: [...summaries] }
  return { session: { ...session, version }, frontiers: [frontier] }
}

/** Refuses a writer that knows another frontier, or none. */
function checkVersion({ version }: StoredSession, known: number | undefined): void {
  if (known !== version)
    throw new StoreConflictError(
      `the frontier is at version ${version}, not ${known}: another writer was faster; read it again`,
    )
}

/** Refuses a number up to which a history is to be kept and that it does not reach. */
function checkCut({ key, nextSeq }: StoredSession, seq: number, purpose: string): void {
  if (!(Number.isInteger(seq) && seq >= 0 && seq <= nextSeq))
    throw new StoreError(
      'NOT_FOUND',
      `${key} has no message m${seq} to ${purpose}; its next one is m${nextSeq}`,
    )
}
