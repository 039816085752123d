import type { Message } from '@palimpsest/core'
import { recordNumber } from '../dump/align-records.ts'
import { createRecordChecker } from '../dump/create-record-checker.ts'
import { asInvalidDump, invalidDump } from '../dump/invalid-dump.ts'
import { compareStates, recordProof, stateConflict } from '../dump/session-proofs.ts'
import { checkNewSummaries, type KnownRows } from '../history/check-frontier.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import { type NewMessage, newSession, unchanged, type WritePlan, withMessages } from './plan-write.ts'
import { checkNextNumber } from './row-numbers.ts'
import { type StoredSession, sessionRecord } from './stored-session.ts'

type RecordOf<Type extends DumpRecord['type']> = Extract<DumpRecord, { type: Type }>

/** A record of what a session has of its own. */
export type OwnRecord = Exclude<DumpRecord, { type: 'session' }>

/** One step of a restore: the beginning of a session, or some records of it, all of one type. */
export type RestoreStep =
  | { readonly begins: RecordOf<'session'> }
  | { readonly begins?: never; readonly records: readonly OwnRecord[] }

/** Records that are taken at once, and characters of the messages among them. */
const MAX_RECORDS = 200
const MAX_CHARACTERS = 4_000_000

/**
 * Records as steps, checked for their order, their completeness and their hashes. Memory holds one step at a time.
 *
 * @throws StoreError `INVALID_DUMP`
 */
export async function* restoreSteps(records: AsyncIterable<DumpRecord>): AsyncGenerator<RestoreStep> {
  const checker = createRecordChecker()
  let batch: OwnRecord[] = []
  let characters = 0
  for await (const record of records) {
    checker.take(record)
    const fits = batch[0]?.type === record.type && batch.length < MAX_RECORDS && characters < MAX_CHARACTERS
    if (!fits && batch.length > 0) {
      yield { records: batch }
      batch = []
      characters = 0
    }
    if (record.type === 'session') yield { begins: record }
    else batch.push(record)
    if (record.type === 'message') characters += record.json.length
  }
  checker.end()
  if (batch.length > 0) yield { records: batch }
}

export interface RestoredSession {
  /** As it is before the next records. */
  readonly session: StoredSession
  /** The store has no such session: it is to be written first. */
  readonly isNew: boolean
  /** The records go on behind what the store has; otherwise they are only compared with it. */
  readonly goesOn: boolean
}

/**
 * Begins to restore a session.
 *
 * @param known The session of that name in the store.
 * @param origin The session that it was forked from, as the store has it.
 * @throws StoreConflictError; StoreError `INVALID_DUMP`
 */
export function planRestore(
  record: RecordOf<'session'>,
  known: StoredSession | undefined,
  origin: StoredSession | undefined,
): RestoredSession {
  const { principal, key, createdAt, parent, replaced } = record
  if (known !== undefined) {
    const goesOn = compareStates(sessionRecord(known), record) === 1
    return { session: goesOn ? { ...known, replaced } : known, isNew: false, goesOn }
  }
  const reaches = origin && parent && parent.seq <= origin.nextSeq && parent.summary <= origin.nextSummary
  if (parent !== undefined && reaches !== true)
    throw invalidDump(`the session ${key} was forked from ${parent.key}, which does not come before it`)
  const fresh = newSession({ principal, key, createdAt, ...(parent && { parent }) })
  return { session: { ...fresh, replaced }, isNew: true, goesOn: true }
}

/** Which of the records the store has already: to be read and given to `planRecords`. Undefined: none of them. */
export function storedRange(
  { nextSeq, nextSummary, version }: StoredSession,
  records: readonly OwnRecord[],
): { readonly type: OwnRecord['type']; readonly first: number; readonly last: number } | undefined {
  const [oldest, newest] = [records[0], records.at(-1)]
  if (oldest === undefined || newest === undefined) return undefined
  const { type } = oldest
  const next = { message: nextSeq, summary: nextSummary, frontier: version + 1 }[type]
  const [first, last] = [recordNumber(oldest), Math.min(recordNumber(newest), next - 1)]
  return first <= last ? { type, first, last } : undefined
}

/** Numbers of the summaries that records name: what `planRecords` asks for the covers of. */
export function namedSummaries(records: readonly OwnRecord[]): number[] {
  return records.flatMap((record) => {
    if (record.type === 'message') return []
    return record.type === 'summary' ? record.children : record.summaries
  })
}

/**
 * The records that are to be written. Those in the store are compared; forgotten content counts as equal: its hash is
 * still there.
 *
 * @param stored The records of `storedRange`, as the store has them.
 * @throws StoreConflictError; StoreError `INVALID_DUMP`
 */
export function planRecords(
  session: StoredSession,
  records: readonly OwnRecord[],
  stored: readonly OwnRecord[],
  rows: Pick<KnownRows, 'coverOf'>,
): WritePlan {
  const range = storedRange(session, records)
  const expected = range === undefined ? 0 : range.last - range.first + 1
  const isSame = (row: OwnRecord, index: number) => {
    const given = records[index]
    return given !== undefined && recordProof(row) === recordProof(given)
  }
  if (stored.length !== expected || !stored.every(isSame)) throw stateConflict(session.key)
  const added = records.slice(expected)
  const last = added.at(-1)
  if (last === undefined) return unchanged(session)
  checkNextNumber(recordNumber(last))
  const messages = added.filter((record) => record.type === 'message').map(encodeRecord)
  const summaries = added.filter((record) => record.type === 'summary').map(toNode)
  const frontiers = added.filter((record) => record.type === 'frontier').map(toFrontier)
  const isThere = (number: number) => rows.coverOf(number) !== undefined
  asInvalidDump(() => checkNewSummaries(summaries, session.nextSummary, isThere))
  for (const { version, summaries: numbers } of frontiers) {
    const missing = numbers.find((number) => !isThere(number))
    if (missing !== undefined)
      throw invalidDump(`version ${version} of ${session.key} names s${missing}, which is not there`)
  }
  const after = {
    ...withMessages(session, messages),
    nextSummary: session.nextSummary + summaries.length,
    version: session.version + frontiers.length,
  }
  return { session: after, messages, summaries, frontiers }
}

function toNode({ type: _, ...node }: RecordOf<'summary'>): WritePlan['summaries'][number] {
  return node.forgotten === undefined ? node : { ...node, text: '' }
}

function toFrontier({ type: _, ...frontier }: RecordOf<'frontier'>): WritePlan['frontiers'][number] {
  return frontier
}

/**
 * The message of a record as a store writes it down, with the text that a search reads made anew.
 *
 * @throws StoreError `INVALID_DUMP` when it is no JSON.
 */
function encodeRecord(record: Extract<DumpRecord, { type: 'message' }>): NewMessage {
  const { seq, role, hostId, at, tokens, hash, json, forgotten } = record
  const kept = { seq, role, at, tokens, hash, ...(hostId !== undefined && { hostId }) }
  if (forgotten !== undefined)
    return {
      ...kept,
      json: '',
      text: '',
      shape: '',
      forgotten: { at: forgotten.at, reason: forgotten.reason },
    }
  try {
    const { text, shape } = encodeMessage(JSON.parse(json) as Message, tokens)
    return { ...kept, json, text, shape }
  } catch (cause) {
    throw invalidDump(`m${seq} is no message`, cause)
  }
}
