import { hash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { StoreError } from '../errors/store-error.ts'
import { countLive } from '../history/replaced-ranges.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import { createSummary } from './commit-summaries.ts'
import { pastFrontier, writeVersion } from './frontier-rows.ts'
import { readLineage, summaryId } from './lineage.ts'
import { insertMessage, type MessageRow, toStoredMessage } from './message-rows.ts'
import { baseOf, checkNextNumber } from './row-ids.ts'
import { findSession, insertSession, readSession, replacedOf, type SessionRow } from './session-row.ts'
import type { Sql } from './sql.ts'
import { SUMMARY_COLUMNS, type SummaryRow, toSummaryNode } from './summary-rows.ts'

type RecordOf<Type extends DumpRecord['type']> = Extract<DumpRecord, { type: Type }>

/** How much was written. */
export interface Restored {
  readonly sessions: number
  readonly messages: number
}

/**
 * Writes one session from its records, in their order. What is there already is compared, what is missing is
 * added. What was forgotten on one side counts as equal: its hash is still there.
 */
export function createRestore(sql: Sql, record: RecordOf<'session'>) {
  const { principal, key, createdAt, nextSeq, nextSummary } = record
  const known = findSession(sql, { principal, key })
  const before = known ?? readSession(sql, insertFrom(sql, record))
  if (
    known !== undefined &&
    (known.created_at !== createdAt || originOf(sql, known) !== originText(record.parent))
  )
    throw conflict(key)
  const { no } = before
  const base = baseOf(no)
  const lineage = readLineage(sql, before)
  /** The numbers that come next. */
  let [seq, number, version] = [before.fork_seq, before.fork_summary, 0]
  let [characters, lastAt] = [0, before.last_at]

  return {
    message(message: RecordOf<'message'>): void {
      if (message.seq !== seq || number > before.fork_summary || version > 0)
        throw invalidDump(`m${message.seq} of ${key} is not in its place`)
      checkNextNumber(seq)
      if (seq < before.next_seq) {
        const row = sql.get<MessageRow>('SELECT * FROM message WHERE id = ?', base + seq)
        const same = row !== undefined && messageProof(toStoredMessage(row, [])) === messageProof(message)
        if (!same) throw conflict(key)
      } else {
        characters += insertMessage(sql, base + seq, encodeRecord(message))
        lastAt = message.at
      }
      seq++
    },
    summary(node: RecordOf<'summary'>): void {
      if (node.number !== number || version > 0)
        throw invalidDump(`s${node.number} of ${key} is not in its place`)
      checkNextNumber(number)
      if (number < before.next_summary) {
        const row = sql.get<SummaryRow>(`SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id = ?`, base + number)
        if (row === undefined || summaryProof(toSummaryNode(row)) !== summaryProof(node)) throw conflict(key)
      } else createSummary(sql, no, lineage, node.forgotten === undefined ? node : { ...node, text: '' })
      number++
    },
    frontier(frontier: RecordOf<'frontier'>): void {
      if (frontier.version !== version)
        throw invalidDump(`version ${frontier.version} of ${key} is not in its place`)
      if (version <= before.version) {
        if (versionProof(sql, no, version) !== frontierProof(frontier)) throw conflict(key)
      } else {
        const entries = frontier.summaries.map((wanted) => {
          const place = summaryId(lineage, wanted)
          const query = 'SELECT id, first FROM summary WHERE id = ? AND last <= ?'
          const row = place && sql.get<{ id: number; first: number }>(query, place.id, place.lastSeq)
          if (row === undefined)
            throw invalidDump(`version ${version} of ${key} names s${wanted}, which is missing`)
          return row
        })
        writeVersion(sql, { no, version: version - 1 }, frontier, entries)
      }
      version++
    },
    finish(): Restored {
      if (seq !== nextSeq || number !== nextSummary || version === 0)
        throw invalidDump(`the session ${key} is incomplete`)
      const messages = Math.max(0, seq - before.next_seq)
      const more = messages > 0 || number > before.next_summary || version > before.version + 1
      const less = seq < before.next_seq || number < before.next_summary || version <= before.version
      checkReplaced(before, record, { more, less })
      if (!more) return { sessions: 0, messages: 0 }
      sql.run(
        `UPDATE session SET next_seq = ?, next_summary = ?, replaced = ?, last_at = ?, characters = characters + ?
         WHERE no = ?`,
        ...[seq, number, JSON.stringify(record.replaced), lastAt, characters, no],
      )
      return { sessions: 1, messages }
    },
  }
}

function insertFrom(sql: Sql, { principal, key, createdAt: at, parent }: RecordOf<'session'>): number {
  if (parent === undefined) return insertSession(sql, { principal, key, at, replaced: [] })
  const origin = findSession(sql, { principal, key: parent.key })
  if (origin === undefined || parent.seq > origin.next_seq || parent.summary > origin.next_summary)
    throw invalidDump(`the session ${key} was forked from ${parent.key}, which does not come before it`)
  return insertSession(sql, { principal, key, at, replaced: [], parent: { ...parent, no: origin.no } })
}

function originOf(sql: Sql, { parent, fork_seq: seq, fork_summary: summary }: SessionRow): string {
  if (parent === null) return originText(undefined)
  const query = 'SELECT key FROM session WHERE no = ?'
  return originText({ key: sql.get<{ key: string }>(query, parent)?.key ?? '', seq, summary })
}

function originText(parent: RecordOf<'session'>['parent']): string {
  return JSON.stringify(parent && [parent.key, parent.seq, parent.summary]) ?? ''
}

/** @throws StoreConflictError when neither session continues the other. */
function checkReplaced(
  before: SessionRow,
  { key, replaced }: RecordOf<'session'>,
  { more, less }: { more: boolean; less: boolean },
): void {
  if (before.version === -1) return
  const known = replacedOf(before)
  const [shorter, longer] = more ? [known, replaced] : [replaced, known]
  const covered = shorter.every(({ first, last }) => countLive(longer, first, last) === 0)
  const settled = more !== less || JSON.stringify(known) === JSON.stringify(replaced)
  if (!covered || !settled || (more && less)) throw conflict(key)
}

function encodeRecord(record: RecordOf<'message'>) {
  const { seq, role, hostId, at, tokens, json, forgotten } = record
  const kept = { role, at, tokens, hash: record.hash, ...(hostId !== undefined && { hostId }) }
  if (forgotten !== undefined) return { ...kept, json: '', text: '', shape: '', forgotten }
  if (hash('sha256', json) !== record.hash) throw invalidDump(`m${seq} is not what its hash says`)
  try {
    const { text, shape } = encodeMessage(JSON.parse(json) as Message, tokens)
    return { ...kept, json, text, shape }
  } catch (cause) {
    throw invalidDump(`m${seq} is no message`, cause)
  }
}

function messageProof(message: Omit<RecordOf<'message'>, 'type' | 'json'>): string {
  const { seq, role, hostId, at, tokens, hash } = message
  return JSON.stringify([seq, role, hostId, at, tokens, hash])
}

function summaryProof({
  number,
  children,
  tokens,
  sourceTokens,
  at,
  from,
  to,
  hash,
}: Omit<RecordOf<'summary'>, 'type'>) {
  return JSON.stringify([number, children, tokens, sourceTokens, at, from, to, hash])
}

function versionProof(sql: Sql, no: number, version: number): string {
  const query = 'SELECT reason, next_seq AS nextSeq, at FROM version WHERE session = ? AND version = ?'
  const row = sql.get<Pick<RecordOf<'frontier'>, 'reason' | 'nextSeq' | 'at'>>(query, no, version)
  if (row === undefined) return ''
  return frontierProof({ ...row, summaries: pastFrontier(sql, no, version).map((node) => node.number) })
}

function frontierProof({
  reason,
  nextSeq,
  at,
  summaries,
}: Omit<RecordOf<'frontier'>, 'type' | 'version'>): string {
  return JSON.stringify([reason, nextSeq, at, summaries])
}

function conflict(key: string): StoreConflictError {
  return new StoreConflictError(
    `there is a session ${key} already with something else in it; import into another store`,
  )
}

/** The error `INVALID_DUMP`. */
export function invalidDump(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_DUMP', `the export is damaged: ${reason}; take another copy of it`, {
    cause,
  })
}
