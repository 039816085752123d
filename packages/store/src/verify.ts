import type { StoreFault, Summary } from '@palimpsest/core'
import { checkFrontier } from './check-frontier.ts'
import { type Database, INDEXED, type IndexEntry, type Indexed, type Sql } from './database.ts'
import { StoreError } from './errors.ts'
import {
  type EventRow,
  type FrontierRow,
  idOf,
  isWhole,
  type JobRow,
  type MessageRow,
  ROWS_PER_SESSION,
  type SessionRow,
  type StateRow,
  type SummaryRow,
  searchText,
  toFrontier,
  toMessage,
  toSummary,
} from './rows.ts'
import { addToIndex, indexRows } from './text-index.ts'

const PAGE = 500

export async function* rowsOf<Row extends { readonly id: number }>(
  database: Database,
  table: string,
  session?: Pick<SessionRow, 'no' | 'principal'>,
): AsyncGenerator<Row[]> {
  const { no, principal } = session ?? {}
  const last = no === undefined ? Number.MAX_SAFE_INTEGER : idOf(no, ROWS_PER_SESSION - 1)
  let after = no === undefined ? -1 : idOf(no, 0) - 1
  const query = `SELECT * FROM ${table} WHERE id > ? AND id <= ? ORDER BY id LIMIT ${PAGE}`
  for (;;) {
    const rows = await database.read((sql) => sql.all<Row>(query, [after, last]), principal)
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return
    after = end.id
  }
}

/**
 * Verifies a store: rows match their checksums, numbers have no gaps, frontiers cover existing messages, and the index
 * is complete. Reads in pages.
 */
export async function verifyStore(
  database: Database,
  { onMessages = () => {} }: { readonly onMessages?: (count: number) => void } = {},
): Promise<StoreFault[]> {
  const faults: StoreFault[] = []
  await database.read(async (sql) => {
    for (const message of await database.check(sql))
      faults.push({ code: 'damaged-database', message, repairable: false })
    for (const table of INDEXED) faults.push(...(await verifyIndex(database, sql, table)))
    for (const table of ['message', 'summary', 'frontier']) faults.push(...(await findStrays(sql, table)))
    for (const event of await sql.all<EventRow>('SELECT * FROM event'))
      if (!isWhole('event', event))
        faults.push({
          ...{ code: 'changed-row', principal: event.principal, repairable: false },
          message: `Event ${event.id} is not what was stored.`,
        })
    for (const table of ['job', 'state'] as const)
      for (const row of await sql.all<JobRow & StateRow>(`SELECT * FROM ${table}`))
        if (!isWhole(table, row)) {
          const name = table === 'job' ? row.id : row.name
          const message = `The ${table} ${name} is not what was stored.`
          faults.push({ code: 'changed-row', message, principal: row.principal, repairable: false })
        }
  })
  const sessions = await database.read((sql) => sql.all<SessionRow>('SELECT * FROM session ORDER BY no'))
  for (const session of sessions) faults.push(...(await verifySession(database, session, onMessages)))
  return faults
}

async function verifyIndex({ index }: Database, sql: Sql, table: Indexed): Promise<StoreFault[]> {
  const [indexed, own] = [index.ids(table), `SELECT id FROM ${table} WHERE forgotten IS NULL`]
  const count = (some: string, others: string) => `(SELECT count(*) FROM (${some} EXCEPT ${others}) AS ids)`
  const [row] = await sql.all<{ missing: number; extra: number }>(
    `SELECT ${count(own, indexed)} AS missing, ${count(indexed, own)} AS extra`,
  )
  const { missing = 0, extra = 0 } = row ?? {}
  if (missing + extra === 0) return []
  const message = `The index of texts lacks ${missing} rows of ${table}, and has ${extra} that are not there.`
  return [{ code: 'damaged-database', message, repairable: true }]
}

async function findStrays(sql: Sql, table: string): Promise<StoreFault[]> {
  const query = `SELECT id FROM ${table} WHERE id / ${ROWS_PER_SESSION} NOT IN (SELECT no FROM session)`
  const message = `A ${table} belongs to no session.`
  return (await sql.all(query)).map(() => ({ code: 'no-session', message, repairable: false }))
}

async function verifySession(
  database: Database,
  session: SessionRow,
  onMessages: (count: number) => void,
): Promise<StoreFault[]> {
  const { no, principal, key, next_seq: nextSeq, next_summary: nextSummary, version } = session
  const faults: StoreFault[] = []
  const add = (code: string, ref: string, message: string) => {
    faults.push({ code, message: `${ref} ${message}.`, principal, key, ref, repairable: false })
  }
  if (!isWhole('session', session)) add('changed-row', key, 'has counters that are not what was stored')

  let expected = 0
  const reach = (table: string, letter: string, number: number) => {
    for (; expected < number; expected++) add(`missing-${table}`, `${letter}${expected}`, 'is not there')
    expected = number + 1
  }
  for await (const rows of rowsOf<MessageRow>(database, 'message', session)) {
    for (const row of rows) {
      const message = toMessage(row)
      reach('message', 'm', message.seq)
      if (message.damaged) add('changed-row', `m${message.seq}`, 'is not what was stored')
      if (message.forgotten && row.body !== '')
        add('not-forgotten', `m${message.seq}`, 'was deleted, and its content is still there')
    }
    onMessages(rows.length)
  }
  reach('message', 'm', nextSeq)
  if (expected !== nextSeq + 1) add('message-number', key, 'has messages after its end')

  const summaries = new Map<number, Summary>()
  expected = 1
  for await (const rows of rowsOf<SummaryRow>(database, 'summary', session))
    for (const row of rows) {
      const summary = toSummary(row)
      reach('summary', 's', summary.number)
      if (summary.damaged) add('changed-row', `s${summary.number}`, 'is not what was stored')
      else {
        const gone = summary.children.find((child) => !summaries.has(child))
        if (gone !== undefined)
          add('missing-summary', `s${summary.number}`, `condenses s${gone}, which is not there before it`)
      }
      summaries.set(summary.number, summary)
    }
  reach('summary', 's', nextSummary)

  expected = 0
  for await (const rows of rowsOf<FrontierRow>(database, 'frontier', session))
    for (const row of rows) {
      const frontier = toFrontier(row)
      reach('frontier', 'v', frontier.version)
      if (frontier.damaged) add('changed-row', `v${frontier.version}`, 'is not what was stored')
      if (frontier.version !== version) continue
      const check = (sql: Sql) => checkFrontier(sql, no, frontier.summaries, summaries)
      await database.read(check).catch((error: unknown) => {
        if (!StoreError.isInstance(error) || error.code !== 'INVALID_FRONTIER') throw error
        add('frontier-gap', `v${version}`, `does not cover the conversation: ${error.message}`)
      })
    }
  reach('frontier', 'v', version + 1)
  for (const { number, first, last, forgotten } of summaries.values())
    if (forgotten === undefined && (first > last || last >= nextSeq))
      add('summary-range', `s${number}`, 'covers messages that are not there')
  return [...faults, ...(await verifyRest(database, session))]
}

async function verifyRest(database: Database, { no, principal, key }: SessionRow): Promise<StoreFault[]> {
  const brokenOf = async (table: 'job' | 'state', name: string) => {
    const query = `SELECT ${name} AS ref, ${table}.* FROM ${table} WHERE session = ?`
    const rows = await database.read((sql) => sql.all<{ ref: string; checksum: string }>(query, [no]))
    return rows.filter((row) => !isWhole(table, row)).map(({ ref }) => `${table} ${ref}`)
  }
  const broken = [...(await brokenOf('job', 'id')), ...(await brokenOf('state', 'name'))]
  return broken.map((ref) => ({
    ...{ code: 'changed-row', principal, key, ref, repairable: false },
    message: `${ref} is not what was stored.`,
  }))
}

export async function repairIndex(database: Database): Promise<void> {
  const sessions = await database.read((sql) => sql.all<SessionRow>('SELECT * FROM session'))
  await database.write(async (sql) => {
    for (const table of INDEXED) await database.index.clear(sql, table)
  }, '')
  for (const session of sessions) {
    const { principal } = session
    const add = async (table: Indexed, entries: readonly IndexEntry[]) => {
      const rows = await indexRows(database, entries)
      await database.write((sql) => addToIndex(sql, table, rows), principal)
    }
    for await (const rows of rowsOf<MessageRow>(database, 'message', session)) {
      const entries = rows.flatMap((row) => {
        const { message } = toMessage(row)
        return message === null ? [] : [{ id: row.id, principal, text: searchText(message) }]
      })
      await add('message', entries)
    }
    for await (const rows of rowsOf<SummaryRow>(database, 'summary', session)) {
      const entries = rows.map((row) => ({ id: row.id, principal, text: toSummary(row).text }))
      await add(
        'summary',
        entries.filter(({ text }) => text !== ''),
      )
    }
  }
}
