import type { Sql } from '@palimpsest/sqlite-kit'
import { encodeRecord } from '../dump/encode-record.ts'
import { asInvalidDump, invalidDump } from '../dump/invalid-dump.ts'
import {
  compareStates,
  frontierProof,
  messageProof,
  stateConflict,
  summaryProof,
} from '../dump/session-proofs.ts'
import { checkNewSummaries } from '../history/check-frontier.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import { sessionRecord } from './dump-session.ts'
import { frontierIds, writeVersion } from './frontier-rows.ts'
import { readLineage } from './lineage.ts'
import { insertMessage, type MessageRow, toStoredMessage } from './message-rows.ts'
import { baseOf, checkNextNumber, numberOf } from './row-ids.ts'
import { findSession, insertSession, readSession } from './session-row.ts'
import { findCover, insertSummary, SUMMARY_COLUMNS, type SummaryRow, toSummaryNode } from './summary-rows.ts'

type RecordOf<Type extends DumpRecord['type']> = Extract<DumpRecord, { type: Type }>

/** How much was written. */
export interface Restored {
  readonly sessions: number
  readonly messages: number
}

/** Takes the records of one session, in their order. */
export interface SessionRestore {
  take(record: Exclude<DumpRecord, { type: 'session' }>): void
  finish(): Restored
}

/**
 * Writes one session from its records, whose order and completeness were checked. What is there already is compared,
 * what is missing is added. What was forgotten on one side counts as equal: its hash is still there.
 */
export function createRestore(sql: Sql, record: RecordOf<'session'>): SessionRestore {
  const { key } = record
  const known = findSession(sql, record)
  const goesOn = known === undefined || compareStates(sessionRecord(sql, known), record) === 1
  const before = known ?? readSession(sql, insertFrom(sql, record))
  const { no } = before
  const base = baseOf(no)
  const lineage = readLineage(sql, before)
  let [characters, lastAt] = [0, before.last_at]

  const takeMessage = (message: RecordOf<'message'>): void => {
    const { seq, at } = message
    if (seq < before.next_seq) {
      const row = sql.get<MessageRow>('SELECT * FROM message WHERE id = ?', base + seq)
      const same = row !== undefined && messageProof(toStoredMessage(row, [])) === messageProof(message)
      if (!same) throw stateConflict(key)
      return
    }
    checkNextNumber(seq)
    characters += insertMessage(sql, base + seq, encodeRecord(message))
    lastAt = at
  }

  const takeSummary = (node: RecordOf<'summary'>): void => {
    const { number, forgotten } = node
    if (number < before.next_summary) {
      const row = sql.get<SummaryRow>(`SELECT ${SUMMARY_COLUMNS} FROM summary WHERE id = ?`, base + number)
      if (row === undefined || summaryProof(toSummaryNode(row)) !== summaryProof(node))
        throw stateConflict(key)
      return
    }
    checkNextNumber(number)
    const isThere = (child: number) => findCover(sql, lineage, child) !== undefined
    asInvalidDump(() => checkNewSummaries([node], number, isThere))
    insertSummary(sql, base + number, lineage, forgotten === undefined ? node : { ...node, text: '' })
  }

  const takeFrontier = (frontier: RecordOf<'frontier'>): void => {
    const { version } = frontier
    if (version <= before.version) {
      if (storedProof(sql, no, version) !== frontierProof(frontier)) throw stateConflict(key)
      return
    }
    const covers = frontier.summaries.map((number) => {
      const cover = findCover(sql, lineage, number)
      if (cover === undefined)
        throw invalidDump(`version ${version} of ${key} names s${number}, which is not there`)
      return cover
    })
    writeVersion(sql, { no, version: version - 1 }, frontier, covers)
  }

  return {
    take(next) {
      if (next.type === 'message') takeMessage(next)
      else if (next.type === 'summary') takeSummary(next)
      else takeFrontier(next)
    },
    finish() {
      if (!goesOn) return { sessions: 0, messages: 0 }
      const { nextSeq, nextSummary, replaced } = record
      sql.run(
        `UPDATE session SET next_seq = ?, next_summary = ?, replaced = ?, last_at = ?, characters = characters + ?
         WHERE no = ?`,
        ...[nextSeq, nextSummary, JSON.stringify(replaced), lastAt, characters, no],
      )
      return { sessions: 1, messages: nextSeq - before.next_seq }
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

function storedProof(sql: Sql, no: number, version: number): string | undefined {
  const query = 'SELECT reason, next_seq AS nextSeq, at FROM version WHERE session = ? AND version = ?'
  const row = sql.get<Pick<RecordOf<'frontier'>, 'reason' | 'nextSeq' | 'at'>>(query, no, version)
  return row && frontierProof({ ...row, version, summaries: frontierIds(sql, no, version).map(numberOf) })
}
