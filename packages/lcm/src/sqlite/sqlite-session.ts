import { setTimeout as wait } from 'node:timers/promises'
import { type Connection, insertRow, type Sql } from '@palimpsest/sqlite-kit'
import { StoreError, versionNotFound } from '../errors/store-error.ts'
import type { Cover, KnownRows } from '../history/check-frontier.ts'
import { searchText } from '../messages/encode-message.ts'
import { checkTime } from '../store/check-input.ts'
import type {
  Forgotten,
  Frontier,
  FrontierVersion,
  LcmSession,
  SeqRange,
  SummaryNode,
} from '../store/lcm-session.ts'
import {
  planAppend,
  planCommit,
  planForget,
  planLease,
  planRelease,
  type WritePlan,
} from '../store-kit/plan-write.ts'
import {
  hashBytes,
  hashOf,
  LAST_NUMBER,
  packName,
  rowLimit,
  type SummaryColumns,
  summaryColumns,
  toRanges,
  toStoredSession,
  toSummaryNode,
  unpackName,
} from '../store-kit/row-columns.ts'
import { headOf, leaseOf, type StoredFrontier, type StoredSession } from '../store-kit/stored-session.ts'
import { messageCandidates, summaryCandidates } from './candidates.ts'
import {
  compareMessages,
  indexSummary,
  insertMessage,
  type MessageRow,
  readMessages,
  unindexMessage,
  unindexSummary,
} from './message-rows.ts'
import { baseOf, numberOf, readSession, type SessionRow, updateSession } from './session-row.ts'

/** A handle of a session. It holds what never changes of it. */
export function sessionHandle(connection: Connection, row: SessionRow): LcmSession {
  const { no } = row
  const { principal, key } = toStoredSession(row)
  const sessionOf = (sql: Sql): StoredSession => toStoredSession(readSession(sql, no))
  const replacedOf = (sql: Sql) =>
    toRanges(sql.get<{ replaced: string }>('SELECT replaced FROM session WHERE no = ?', no)?.replaced ?? '[]')

  return {
    principal,
    key,
    head: () => connection.direct((sql) => headOf(sessionOf(sql))),
    append: (input) =>
      connection.write((sql) => {
        const plan = planAppend(sessionOf(sql), input, knownRows(sql, no))
        writePlan(sql, no, plan)
        return headOf(plan.session)
      }),
    messages: (query) => connection.read((sql) => readMessages(sql, no, replacedOf(sql), query)),
    compare: (...given) => connection.read((sql) => compareMessages(sql, no, replacedOf(sql), ...given)),
    candidates: (query) => connection.read((sql) => messageCandidates(sql, no, replacedOf(sql), query)),
    summaryCandidates: (query) => connection.read((sql) => summaryCandidates(sql, no, query)),
    frontier: (version) =>
      connection.read((sql) => {
        const wanted = version ?? readSession(sql, no).version
        const frontier = readFrontier(sql, no, wanted)
        if (frontier === undefined) throw versionNotFound(key, wanted)
        return frontier
      }),
    versions: ({ before = Number.MAX_SAFE_INTEGER, limit }) =>
      connection.read((sql) => readVersions(sql, no, before, limit)),
    summaries: (numbers) => connection.read((sql) => readSummaries(sql, no, numbers)),
    commit: (input) =>
      connection.write((sql) => {
        const plan = planCommit(sessionOf(sql), input, knownRows(sql, no))
        writePlan(sql, no, plan)
        return { version: plan.session.version, nodes: readSummaries(sql, no, input.summaries) }
      }),
    async forget(input) {
      checkTime('at', input.at)
      const forgotten = await connection.write((sql) => {
        const done = forgetMessages(sql, no, input)
        if (done.messages + done.summaries.length > 0) {
          const session = sessionOf(sql)
          const { nodes } = readFrontier(sql, no, session.version) ?? { nodes: [] }
          const summaries = nodes.map(({ number }) => number)
          writePlan(sql, no, planForget(session, { at: input.at, summaries }))
        }
        return done
      })
      await truncateWal(connection)
      return forgotten
    },
    acquireLease: (request) =>
      connection.write((sql) => {
        const leased = planLease(sessionOf(sql), request)
        if (leased === undefined) return null
        updateSession(sql, no, leased)
        return leaseOf(leased) ?? null
      }),
    releaseLease: (lease) =>
      connection.write((sql) => {
        const released = planRelease(sessionOf(sql), lease)
        if (released !== undefined) updateSession(sql, no, released)
      }),
  }
}

/** Writes what was planned for a session that is there. Within a transaction. */
export function writePlan(sql: Sql, no: number, plan: WritePlan): void {
  for (const message of plan.messages) insertMessage(sql, baseOf(no) + message.seq, message)
  for (const node of plan.summaries) insertSummary(sql, no, node)
  if (plan.frontier !== undefined) insertVersion(sql, no, plan.frontier)
  updateSession(sql, no, plan.session)
}

/** The rows that plans are checked against; read as they are asked for. */
function knownRows(sql: Sql, no: number): KnownRows {
  return {
    roleOf(seq) {
      const query = 'SELECT role FROM message WHERE id = ?'
      const row = sql.get<{ role: string }>(query, baseOf(no) + seq)
      return row && unpackName(row.role)
    },
    coverOf: (number) => findCover(sql, no, number),
  }
}

/** The time to wait for readers of an old state, in milliseconds, and the pause between two tries. */
const LIMIT = 30_000
const PAUSE = 20

/**
 * Moves the write-ahead log into the file and empties it: what was deleted must not live on in it.
 *
 * @throws StoreError `STORE_BUSY` when others go on reading an old state.
 */
async function truncateWal(connection: Connection): Promise<void> {
  for (const end = performance.now() + LIMIT; ; await wait(PAUSE)) {
    const result = await connection.direct((sql) =>
      sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)'),
    )
    if (result?.busy !== 1) return
    if (performance.now() >= end)
      throw new StoreError(
        'STORE_BUSY',
        `what was forgotten is still in the log of ${connection.path}, because others read it; forget it again later`,
      )
  }
}

/** Rows that are read at a time: their texts are in memory. */
const PAGE_ROWS = 200

/** Deletes the content of messages, and of all summaries whose ranges hold one of them. Within a transaction. */
function forgetMessages(
  sql: Sql,
  no: number,
  { first, last, reason, at }: SeqRange & { readonly reason: string; readonly at: number },
): Forgotten {
  const base = baseOf(no)
  const range = { first: Math.max(0, first), last: Math.min(LAST_NUMBER, last) }
  if (!(range.first <= range.last)) return { messages: 0, summaries: [] }
  const tombstone = [at, packName(reason)] as const
  let messages = 0
  for (;;) {
    const rows = sql.all<Pick<MessageRow, 'id' | 'script' | 'json'>>(
      `SELECT id, script, json FROM message
       WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ORDER BY id LIMIT ?`,
      ...[base + range.first, base + range.last, PAGE_ROWS],
    )
    for (const { id, script, json } of rows) {
      unindexMessage(sql, id, searchText(json), script)
      sql.run(
        `UPDATE message SET json = '', script = 0, forgotten_at = ?, forgotten_reason = ? WHERE id = ?`,
        ...[...tombstone, id],
      )
    }
    messages += rows.length
    if (rows.length < PAGE_ROWS) break
  }
  const covering = sql.all<{ id: number; text: string }>(
    `SELECT id, text FROM summary
     WHERE id BETWEEN ? AND ? AND first <= ? AND last >= ? AND forgotten_at IS NULL ORDER BY id`,
    ...[base, base + LAST_NUMBER, range.last, range.first],
  )
  for (const { id, text } of covering) {
    unindexSummary(sql, id, unpackName(text))
    sql.run(
      `UPDATE summary SET text = '', forgotten_at = ?, forgotten_reason = ? WHERE id = ?`,
      ...[...tombstone, id],
    )
  }
  return { messages, summaries: covering.map(({ id }) => numberOf(id)) }
}

interface SummaryRow extends SummaryColumns {
  readonly id: number
  readonly hash: Uint8Array
  /** JSON of numbers. */
  readonly children: string
}

/** Writes a summary and what is searched of it. Its children must be there, see `checkNewSummaries`. */
function insertSummary(sql: Sql, no: number, node: SummaryNode): void {
  const id = baseOf(no) + node.number
  const columns = summaryColumns(node)
  const children = JSON.stringify(node.children)
  insertRow(sql, 'summary', { id, hash: hashBytes(node.hash), children, ...columns })
  indexSummary(sql, id, node.text)
}

/** The range of a summary; undefined when the session has none of that number. */
function findCover(sql: Sql, no: number, number: number): Cover | undefined {
  return findRow<Cover>(sql, no, number, 'first, last, messages')
}

/** Summaries of a session by number, in the order asked for; unknown ones are left out. */
function readSummaries(sql: Sql, no: number, numbers: readonly number[]): SummaryNode[] {
  return numbers.flatMap((number) => {
    const row = findRow<SummaryRow>(sql, no, number, '*')
    if (row === undefined) return []
    const children: number[] = JSON.parse(row.children)
    return [toSummaryNode(row, { number: numberOf(row.id), hash: hashOf(row.hash), children })]
  })
}

function findRow<Row>(sql: Sql, no: number, number: number, columns: string): Row | undefined {
  if (!(number > 0 && number <= LAST_NUMBER)) return undefined
  return sql.get<Row>(`SELECT ${columns} FROM summary WHERE id = ?`, baseOf(no) + number)
}

interface VersionRow extends Omit<FrontierVersion, 'nextSeq'> {
  readonly next_seq: number
  /** JSON of numbers. */
  readonly summaries: string
}

/** The frontier of a version; undefined when there is none. */
function readFrontier(sql: Sql, no: number, version: number): Frontier | undefined {
  if (typeof version !== 'number') return undefined
  const query = 'SELECT summaries FROM version WHERE session = ? AND version = ?'
  const row = sql.get<Pick<VersionRow, 'summaries'>>(query, no, version)
  return row && { version, nodes: readSummaries(sql, no, JSON.parse(row.summaries)) }
}

/** Versions below another one, from the newest to the oldest. */
function readVersions(sql: Sql, no: number, before: number, limit: number): FrontierVersion[] {
  const query = `SELECT version, reason, next_seq, at FROM version
    WHERE session = ? AND version < ? ORDER BY version DESC LIMIT 0 + ?`
  return sql
    .all<VersionRow>(query, no, before, rowLimit(limit))
    .map(({ version, reason, next_seq: nextSeq, at }) => ({ version, reason, nextSeq, at }))
}

function insertVersion(sql: Sql, no: number, frontier: StoredFrontier): void {
  const { version, reason, nextSeq, at, summaries } = frontier
  const columns = {
    session: no,
    version,
    reason,
    next_seq: nextSeq,
    at,
    summaries: JSON.stringify(summaries),
  }
  insertRow(sql, 'version', columns)
}
