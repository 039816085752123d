import { StoreConflictError, StoreError } from '../errors/store-error.ts'
import { checkFrontier, checkNewSummaries, type KnownRows } from '../history/check-frontier.ts'
import { replaceFrom } from '../history/replaced-ranges.ts'
import { checkAppend, checkCommit, checkKey, checkLeaseRequest, checkTime } from '../store/check-input.ts'
import type { AppendInput, CommitInput, Lease, LeaseRequest, SummaryNode } from '../store/lcm-session.ts'
import { DEFAULT_PRINCIPAL, type SessionRef } from '../store/lcm-store.ts'
import { LAST_NUMBER } from './row-columns.ts'
import { leaseOf, type NewMessage, type StoredFrontier, type StoredSession } from './stored-session.ts'

/** A write, as one transaction. Rows stand behind those that the session has. */
export interface WritePlan {
  readonly session: StoredSession
  readonly messages: readonly NewMessage[]
  /** Children before parents. */
  readonly summaries: readonly SummaryNode[]
  /** The new version of the frontier, when there is one. */
  readonly frontier?: StoredFrontier
}

/** A new session. @throws InvalidOptionError `key`, `at` */
export function planSession({ principal = DEFAULT_PRINCIPAL, key }: SessionRef, at: number): WritePlan {
  checkTime('at', at)
  checkKey(key)
  const numbers = { nextSeq: 0, nextSummary: 1, version: -1, leaseToken: 0 }
  const session = { principal, key, createdAt: at, lastAt: at, ...numbers, replaced: [] }
  return { ...unchanged(session), ...addFrontier(session, { reason: 'start', at, summaries: [] }) }
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
  if (!(Number.isInteger(from) && from >= 0 && from <= nextSeq))
    throw new StoreError(
      'NOT_FOUND',
      `${session.key} has no message m${from} to replace from; its next one is m${nextSeq}`,
    )
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
  const lastAt = added.at(-1)?.at ?? session.lastAt
  return { session: { ...session, nextSeq: nextSeq + added.length, lastAt }, messages: added }
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
  checkFrontier(summaries, session, {
    roleOf: rows.roleOf,
    coverOf: (number) => create[number - nextSummary] ?? rows.coverOf(number),
  })
  const longer = { ...session, nextSummary: nextSummary + create.length }
  return { messages: [], summaries: create, ...addFrontier(longer, { reason, at, summaries }) }
}

/** The version by which a live writer notices that content was deleted: the list is the one before it. */
export function planForget(
  session: StoredSession,
  { at, summaries }: Pick<StoredFrontier, 'at' | 'summaries'>,
): WritePlan {
  return { ...unchanged(session), ...addFrontier(session, { reason: 'forget', at, summaries }) }
}

function unchanged(session: StoredSession): WritePlan {
  return { session, messages: [], summaries: [] }
}

function addFrontier(
  session: StoredSession,
  { reason, at, summaries }: Pick<StoredFrontier, 'reason' | 'at' | 'summaries'>,
): Pick<WritePlan, 'session' | 'frontier'> {
  const version = session.version + 1
  const frontier = { version, reason, nextSeq: session.nextSeq, at, summaries: [...summaries] }
  return { session: { ...session, version }, frontier }
}

/** Refuses a writer that knows another frontier, or none. */
function checkVersion({ version }: StoredSession, known: number | undefined): void {
  if (known !== version)
    throw new StoreConflictError(
      `the frontier is at version ${version}, not ${known}: another writer was faster; read it again`,
    )
}

/** @throws StoreError `STORE_UNAVAILABLE` when a session has no room for more rows. */
function checkNextNumber(next: number): void {
  if (next > LAST_NUMBER)
    throw new StoreError('STORE_UNAVAILABLE', `the session holds ${LAST_NUMBER} rows; begin another session`)
}

/**
 * The session with the lease of a holder, who keeps the token of its own lease; undefined while another holder has
 * one.
 *
 * @param now By the store's own clock, where several machines share it. Default: by the holder's.
 * @throws InvalidOptionError
 */
export function planLease(
  session: StoredSession,
  request: LeaseRequest,
  now = request.now,
): StoredSession | undefined {
  checkLeaseRequest(request)
  const { holder, ttl } = request
  const { lease, leaseToken } = session
  if (lease !== undefined && lease.holder !== holder && now < lease.until) return undefined
  const token = lease?.holder === holder ? leaseToken : leaseToken + 1
  return { ...session, leaseToken: token, lease: { holder, until: now + ttl } }
}

/** The session without a lease; undefined when it was lost already, and is not the caller's to give back. */
export function planRelease(session: StoredSession, { holder, token }: Lease): StoredSession | undefined {
  const { lease: _, ...rest } = session
  const current = leaseOf(session)
  return current?.token === token && current.holder === holder ? rest : undefined
}
