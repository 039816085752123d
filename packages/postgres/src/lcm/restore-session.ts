import type { DumpRecord } from '@palimpsest/lcm'
import {
  asInvalidDump,
  checkNewSummaries,
  compareStates,
  encodeRecord,
  frontierProof,
  invalidDump,
  messageProof,
  stateConflict,
  summaryProof,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { FRONTIERS, frontierRecord, MESSAGES, SUMMARIES, sessionRecord } from './dump-session.ts'
import type { FrontierRow } from './frontier-rows.ts'
import { readLineage } from './lineage.ts'
import { insertMessages, type MessageRow, toStoredMessage } from './message-rows.ts'
import { checkNextNumber } from './row-numbers.ts'
import { findSession, insertSession, insertVersion, lockSession, type SessionRow } from './session-row.ts'
import { findCovers, insertSummaries, type SummaryRow, toSummaryNode } from './summary-rows.ts'

type RecordOf<Type extends DumpRecord['type']> = Extract<DumpRecord, { type: Type }>

/** How much was written. */
export interface Restored {
  readonly sessions: number
  readonly messages: number
}

/** Takes records of one session, in their order, some of one type at a time. */
export interface SessionRestore {
  messages(records: readonly RecordOf<'message'>[]): Promise<void>
  summaries(records: readonly RecordOf<'summary'>[]): Promise<void>
  frontiers(records: readonly RecordOf<'frontier'>[]): Promise<void>
  finish(): Promise<Restored>
}

/**
 * Writes one session from its records, whose order and completeness were checked. What is there already is compared,
 * what is missing is added. What was forgotten on one side counts as equal: its hash is still there.
 */
export async function createRestore(sql: Sql, record: RecordOf<'session'>): Promise<SessionRestore> {
  const { key } = record
  const found = await findSession(sql, record)
  const known = found && (await lockSession(sql, found.no))
  const goesOn = known === undefined || compareStates(await sessionRecord(sql, known), record) === 1
  const before = known ?? (await insertFrom(sql, record))
  const { no } = before
  const lineage = await readLineage(sql, before)
  let [characters, lastAt] = [0, before.last_at]

  /** Refuses records that are not those of the store, as far as it has them; returns the others. */
  const newOnes = async <Kind, Row>(
    records: readonly Kind[],
    next: number,
    query: string,
    compare: {
      numberOf: (record: Kind) => number
      proof: (record: Kind) => string
      ofRow: (row: Row) => string
    },
  ): Promise<readonly Kind[]> => {
    const { numberOf, proof, ofRow } = compare
    const [first, last] = [records[0], records.at(-1)]
    if (first === undefined || last === undefined) return []
    const end = Math.min(numberOf(last), next - 1)
    const rows = await sql.all<Row>(query, no, numberOf(first), end, records.length)
    if (rows.length !== Math.max(0, end - numberOf(first) + 1)) throw stateConflict(key)
    for (const [index, row] of rows.entries()) {
      const given = records[index]
      if (given === undefined || ofRow(row) !== proof(given)) throw stateConflict(key)
    }
    checkNextNumber(numberOf(last))
    return records.slice(rows.length)
  }

  return {
    async messages(records) {
      const added = await newOnes<RecordOf<'message'>, MessageRow>(records, before.next_seq, MESSAGES, {
        numberOf: ({ seq }) => seq,
        proof: messageProof,
        ofRow: (row) => messageProof(toStoredMessage(row, [])),
      })
      const [first] = added
      if (first === undefined) return
      characters += await insertMessages(sql.run, before, first.seq, added.map(encodeRecord))
      lastAt = added.at(-1)?.at ?? lastAt
    },
    async summaries(records) {
      const added = await newOnes<RecordOf<'summary'>, SummaryRow>(records, before.next_summary, SUMMARIES, {
        numberOf: ({ number }) => number,
        proof: summaryProof,
        ofRow: (row) => summaryProof(toSummaryNode(row)),
      })
      const [first] = added
      if (first === undefined) return
      const children = await findCovers(
        sql,
        lineage,
        added.flatMap((node) => node.children),
      )
      asInvalidDump(() => checkNewSummaries(added, first.number, (child) => children.has(child)))
      const nodes = added.map((node) => (node.forgotten === undefined ? node : { ...node, text: '' }))
      await insertSummaries(sql, before, nodes)
    },
    async frontiers(records) {
      const added = await newOnes<RecordOf<'frontier'>, FrontierRow>(records, before.version + 1, FRONTIERS, {
        numberOf: ({ version }) => version,
        proof: frontierProof,
        ofRow: (row) => frontierProof(frontierRecord(row)),
      })
      const numbers = added.flatMap(({ summaries }) => summaries)
      const covers = await findCovers(sql, lineage, numbers)
      for (const frontier of added) {
        const missing = frontier.summaries.find((number) => !covers.has(number))
        if (missing !== undefined)
          throw invalidDump(`version ${frontier.version} of ${key} names s${missing}, which is not there`)
        await insertVersion(sql, before, frontier)
      }
    },
    async finish() {
      if (!goesOn) return { sessions: 0, messages: 0 }
      const { nextSeq, nextSummary, replaced } = record
      await sql.run(
        `UPDATE lcm_session SET next_seq = $2, next_summary = $3, replaced = $4, last_at = $5,
           characters = characters + $6 WHERE no = $1`,
        ...[no, nextSeq, nextSummary, JSON.stringify(replaced), lastAt, characters],
      )
      return { sessions: 1, messages: nextSeq - before.next_seq }
    },
  }
}

async function insertFrom(sql: Sql, record: RecordOf<'session'>): Promise<SessionRow> {
  const { principal, key, createdAt: at, parent } = record
  const origin = parent && (await findSession(sql, { principal, key: parent.key }))
  const reaches = origin && parent.seq <= origin.next_seq && parent.summary <= origin.next_summary
  if (parent !== undefined && reaches !== true)
    throw invalidDump(`the session ${key} was forked from ${parent.key}, which does not come before it`)
  const made = await insertSession(sql, {
    ...{ principal, key, at, replaced: [] },
    ...(origin && { parent: { ...parent, no: origin.no } }),
  })
  // Another writer has made it a moment ago.
  if (made === undefined) throw stateConflict(key)
  return made
}
