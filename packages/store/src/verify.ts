import { isWhole } from './create-session.ts'
import type { Database, Sql } from './database.ts'
import {
  checksum,
  type FrontierRow,
  idOf,
  type MessageRow,
  ROWS_PER_SESSION,
  type SessionRow,
  type SummaryRow,
  searchText,
  sessionChecksum,
  toFrontier,
  toMessage,
  toSummary,
} from './rows.ts'
import type { StoreFault, Summary } from './types.ts'

/** Rows that are read at a time. */
const PAGE = 500

/** Every row of a table with ids, or those of a session, a page at a time. */
export async function* rowsOf<Row extends { readonly id: number }>(
  database: Database,
  table: string,
  session?: number,
): AsyncGenerator<Row[]> {
  const last = session === undefined ? Number.MAX_SAFE_INTEGER : idOf(session, ROWS_PER_SESSION - 1)
  let after = session === undefined ? -1 : idOf(session, 0) - 1
  const query = `SELECT * FROM ${table} WHERE id > ? AND id <= ? ORDER BY id LIMIT ${PAGE}`
  for (;;) {
    const rows = await database.read((sql) => sql.all<Row>(query, [after, last]))
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return
    after = end.id
  }
}

/**
 * Proves a store: every row is what was stored, the numbers of every session have no gap, every frontier is a run of messages
 * that are there, and the index is whole. Reads in pages.
 */
export async function verifyStore(
  database: Database,
  { onMessages = () => {} }: { readonly onMessages?: (count: number) => void } = {},
): Promise<StoreFault[]> {
  const faults: StoreFault[] = (await database.read((sql) => database.check(sql))).map((message) => ({
    code: 'damaged-database',
    message,
    repairable: /index/.test(message),
  }))
  const sessions = await database.read((sql) => sql.all<SessionRow>('SELECT * FROM session ORDER BY no'))
  for (const session of sessions) faults.push(...(await verifySession(database, session, onMessages)))
  const known = new Set(sessions.map(({ no }) => no))
  for (const table of ['message', 'summary', 'frontier'])
    for await (const rows of rowsOf(database, table))
      for (const { id } of rows)
        if (!known.has(Math.floor(id / ROWS_PER_SESSION)))
          faults.push({ code: 'no-session', message: `A ${table} belongs to no session.`, repairable: false })
  const events = await database.read((sql) => sql.all<Parameters<typeof isWhole>[0]>('SELECT * FROM event'))
  for (const event of events)
    if (!isWhole(event))
      faults.push({
        ...{ code: 'changed-row', principal: event.principal, repairable: false },
        message: `Event ${event.id} is not what was stored.`,
      })
  return faults
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
  if (session.checksum !== sessionChecksum(session))
    add('changed-row', key, 'has counters that are not what was stored')

  const live: number[] = []
  let expected = 0
  const reach = (table: string, letter: string, number: number) => {
    for (; expected < number; expected++) add(`missing-${table}`, `${letter}${expected}`, 'is not there')
    expected = number + 1
  }
  let start: number | undefined
  for await (const rows of rowsOf<MessageRow>(database, 'message', no)) {
    for (const row of rows) {
      const message = toMessage(row, principal)
      reach('message', 'm', message.seq)
      if (message.damaged) add('changed-row', `m${message.seq}`, 'is not what was stored')
      if (message.forgotten && row.body !== '')
        add('not-forgotten', `m${message.seq}`, 'was deleted, and its content is still there')
      if (message.replaced) continue
      live.push(message.seq)
      if (message.role !== 'system' && message.role !== 'developer') start ??= message.seq
    }
    onMessages(rows.length)
  }
  reach('message', 'm', nextSeq)
  if (expected !== nextSeq + 1) add('message-number', key, 'has messages behind its end')

  const summaries = new Map<number, Summary>()
  expected = 1
  for await (const rows of rowsOf<SummaryRow>(database, 'summary', no))
    for (const row of rows) {
      const summary = toSummary(row, principal)
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
  for await (const rows of rowsOf<FrontierRow>(database, 'frontier', no))
    for (const row of rows) {
      const frontier = toFrontier(row, principal)
      reach('frontier', 'v', frontier.version)
      if (frontier.damaged) add('changed-row', `v${frontier.version}`, 'is not what was stored')
      if (frontier.version !== version) continue
      let next = live.indexOf(start ?? -1)
      for (const number of frontier.summaries) {
        const { first, last, messages } = summaries.get(number) ?? { first: -1, last: -1, messages: 0 }
        const end = live.indexOf(last, next)
        if (live[next] !== first || end - next + 1 !== messages) {
          add(
            'frontier-gap',
            `v${version}`,
            `does not cover the conversation: s${number} stands for another run`,
          )
          break
        }
        next = end + 1
      }
    }
  reach('frontier', 'v', version + 1)
  for (const { number, first, last, forgotten } of summaries.values())
    if (forgotten === undefined && (first > last || last >= nextSeq))
      add('summary-range', `s${number}`, 'stands for messages that are not there')
  return [...faults, ...(await verifyRest(database, session))]
}

async function verifyRest(database: Database, { no, principal, key }: SessionRow): Promise<StoreFault[]> {
  const read = <Row>(table: string) =>
    database.read((sql) => sql.all<Row>(`SELECT * FROM ${table} WHERE session = ?`, [no]))
  const jobs = await read<{ id: string; kind: string; body: string; checksum: string }>('job')
  const states = await read<{ name: string; body: string; checksum: string }>('state')
  const broken = [
    ...jobs
      .filter((row) => row.checksum !== checksum([principal, no, row.id, row.kind, row.body]))
      .map(({ id }) => `job ${id}`),
    ...states
      .filter((row) => row.checksum !== checksum([no, principal, row.name, row.body]))
      .map(({ name }) => `state ${name}`),
  ]
  return broken.map((ref) => ({
    ...{ code: 'changed-row', principal, key, ref, repairable: false },
    message: `${ref} is not what was stored.`,
  }))
}

/** Builds the index of texts anew, from messages and summaries that are what was stored. */
export async function repairIndex(database: Database): Promise<void> {
  const sessions = await database.read((sql) => sql.all<SessionRow>('SELECT * FROM session'))
  await database.write((sql) => database.clearIndex(sql), '')
  for (const { no, principal } of sessions) {
    const write = (work: (sql: Sql) => Promise<void>) => database.write(work, principal)
    for await (const rows of rowsOf<MessageRow>(database, 'message', no))
      await write(async (sql) => {
        for (const row of rows) {
          const { message } = toMessage(row, principal)
          if (message !== null)
            await database.index(sql, 'message', { id: row.id, principal }, searchText(message))
        }
      })
    for await (const rows of rowsOf<SummaryRow>(database, 'summary', no))
      await write(async (sql) => {
        for (const row of rows) {
          const { text } = toSummary(row, principal)
          if (text !== '') await database.index(sql, 'summary', { id: row.id, principal }, text)
        }
      })
  }
}
