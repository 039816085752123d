import { createHash } from 'node:crypto'
import type { Frontier, ImportResult, SessionRef, StoredMessage, Summary } from '@palimpsest/core'
import { findSession, insertSession } from './create-session.ts'
import type { Database, IndexEntry, Indexed } from './database.ts'
import { StoreError } from './errors.ts'
import {
  checkSession,
  type EventRow,
  eventRow,
  type FrontierRow,
  frontierRow,
  idOf,
  insert,
  isWhole,
  type JobRow,
  jobRow,
  json,
  KEEP_KNOWN,
  type MessageRow,
  type SessionRow,
  type StateRow,
  type SummaryRow,
  searchText,
  stateRow,
  summaryRow,
  type Table,
  toFrontier,
  toMessage,
  toSummary,
  withChecksum,
} from './rows.ts'
import { addToIndex, indexRows } from './text-index.ts'
import { rowsOf } from './verify.ts'

const FORMAT = 'palimpsest-store-1'

type MessageLine = StoredMessage & { readonly version: number | null }

type Line =
  | { readonly type: 'export'; readonly format: typeof FORMAT }
  | {
      readonly type: 'session'
      readonly principal: string
      readonly key: string
      readonly createdAt: number
      readonly lastAt: number
      readonly version: number
      readonly edits: number
      readonly nextSeq: number
      readonly nextSummary: number
    }
  | ({ readonly type: 'message' } & MessageLine)
  | ({ readonly type: 'summary' } & Summary)
  | ({ readonly type: 'frontier' } & Frontier)
  | { readonly type: 'job'; readonly id: string; readonly kind: string; readonly body: unknown }
  | { readonly type: 'state'; readonly name: string; readonly body: unknown }
  | {
      readonly type: 'event'
      readonly principal: string
      readonly scope: string
      readonly id: string
      readonly body: unknown
    }
  | { readonly type: 'end'; readonly sessions: number; readonly sha256: string }

/**
 * Yields the export of a store, or of one session, line by line, with a checksum at the end. Damaged rows are left out,
 * or lack their content.
 *
 * @param note Called for each damaged row.
 * @throws StoreError `STORE_CORRUPT` for one session whose name or counters are damaged.
 */
export async function* exportStore(
  database: Database,
  note: (ref: string) => void,
  only?: SessionRef & { readonly principal: string },
): AsyncGenerator<string> {
  const sum = createHash('sha256')
  const write = (line: Line): string => {
    const text = `${JSON.stringify(line)}\n`
    sum.update(text)
    return text
  }
  yield write({ type: 'export', format: FORMAT })
  const query = 'SELECT * FROM session ORDER BY no'
  const all = await database.read((sql) => sql.all<SessionRow>(query), only?.principal)
  const chosen = all.filter(
    ({ principal, key }) => only === undefined || (principal === only.principal && key === only.key),
  )
  if (only !== undefined) chosen.map(checkSession)
  const proves = (table: Table, row: { readonly checksum: string }, ref: string): boolean => {
    const isSound = isWhole(table, row)
    if (!isSound) note(ref)
    return isSound
  }
  const sessions = chosen.filter((row) => proves('session', row, `${row.key}: its name or its counters`))
  for (const session of sessions) {
    const { no, principal, key, version, edits } = session
    const times = { createdAt: session.created_at, lastAt: session.last_at }
    const next = { nextSeq: session.next_seq, nextSummary: session.next_summary }
    yield write({ type: 'session', principal, key, ...times, version, edits, ...next })
    for await (const rows of rowsOf<MessageRow>(database, 'message', session))
      for (const row of rows) {
        const message = toMessage(row)
        if (message.damaged) note(`${key}: m${message.seq}`)
        yield write({ type: 'message', ...message, version: row.replaced })
      }
    for await (const rows of rowsOf<SummaryRow>(database, 'summary', session))
      for (const row of rows) {
        const summary = toSummary(row)
        if (summary.damaged) note(`${key}: s${summary.number}`)
        yield write({ type: 'summary', ...summary })
      }
    for await (const rows of rowsOf<FrontierRow>(database, 'frontier', session))
      for (const row of rows) {
        const frontier = toFrontier(row)
        if (frontier.damaged) note(`${key}: version ${frontier.version}`)
        yield write({ type: 'frontier', ...frontier })
      }
    const own = <Row>(table: string) =>
      database.read((sql) => sql.all<Row>(`SELECT * FROM ${table} WHERE session = ?`, [no]), principal)
    for (const job of await own<JobRow>('job'))
      if (job.done === 0 && proves('job', job, `${key}: job ${job.no}`))
        yield write({ type: 'job', id: job.id, kind: job.kind, body: JSON.parse(job.body) })
    for (const state of await own<StateRow>('state'))
      if (proves('state', state, `${key}: state ${state.name}`))
        yield write({ type: 'state', name: state.name, body: JSON.parse(state.body) })
  }
  if (only === undefined) {
    const events = await database.read((sql) => sql.all<EventRow>('SELECT * FROM event ORDER BY seq'))
    for (const event of events) {
      if (!proves('event', event, `event ${event.seq}`)) continue
      const { principal, scope, id, body } = event
      yield write({ type: 'event', principal, scope, id, body: JSON.parse(body) })
    }
  }
  yield `${JSON.stringify({ type: 'end', sessions: sessions.length, sha256: sum.digest('hex') } satisfies Line)}\n`
}

/**
 * Imports missing sessions, each in one transaction, and events. The export is read twice, because nothing is written
 * before all of it has been checked.
 *
 * @throws StoreError `INVALID_EXPORT`
 */
export async function importStore(
  database: Database,
  open: () => AsyncIterable<string>,
): Promise<ImportResult> {
  await checkExport(open())
  const imported: { principal: string; key: string }[] = []
  const skipped: typeof imported = []
  let lines: Line[] = []
  const flush = async (): Promise<void> => {
    const [first] = lines
    if (first?.type === 'session') {
      const { principal, key } = first
      const isNew = await writeSession(database, lines)
      ;(isNew ? imported : skipped).push({ principal, key })
    }
    lines = []
  }
  for await (const text of open()) {
    const line: Line = JSON.parse(text)
    if (line.type === 'session' || line.type === 'event' || line.type === 'end') await flush()
    if (line.type === 'event') {
      const { principal, scope } = line
      await database.write(async (sql) => {
        await database.lockEvents(sql, principal)
        await insert(sql, 'event', [eventRow(principal, scope, line)], KEEP_KNOWN)
      }, principal)
    } else if (line.type !== 'end' && line.type !== 'export') lines.push(line)
  }
  return { imported, skipped }
}

async function checkExport(lines: AsyncIterable<string>): Promise<void> {
  const sum = createHash('sha256')
  let count = 0
  let end: Line | undefined
  let sessions = 0
  for await (const text of lines) {
    count++
    if (end !== undefined) throw invalid(`line ${count} comes after its end`)
    let line: Line
    try {
      line = JSON.parse(text)
    } catch (cause) {
      throw invalid(`line ${count} is no JSON`, cause)
    }
    if (count === 1 && !(line?.type === 'export' && line.format === FORMAT))
      throw invalid('it does not begin as an export of this version')
    if (line.type === 'session') sessions++
    if (line.type === 'end') end = line
    else sum.update(`${text.trimEnd()}\n`)
  }
  if (end?.type !== 'end') throw invalid('its end is missing')
  if (end.sha256 !== sum.digest('hex') || end.sessions !== sessions)
    throw invalid('it is not what was written')
}

async function writeSession(database: Database, [head, ...lines]: readonly Line[]): Promise<boolean> {
  if (head?.type !== 'session') throw invalid('a session has no beginning')
  const { principal, key, lastAt } = head
  return database.write(async (sql) => {
    if (!(await insertSession(sql, head))) return false
    const made = await findSession(sql, principal, key)
    if (made === undefined) throw invalid(`${key} could not be made`)
    const { no } = made
    const addText = async (table: Indexed, entry: IndexEntry) =>
      addToIndex(sql, table, await indexRows(database, [entry]))
    for (const line of lines) {
      if (line.type === 'message') {
        const { seq, role, at, tokens, message, damaged } = line
        const lost = damaged && { at: lastAt, reason: 'it was damaged when it was exported' }
        const forgotten = line.forgotten ?? lost
        const id = idOf(no, seq)
        const row = withChecksum('message', {
          ...{ id, principal, role, at, tokens, body: forgotten === undefined ? json(message) : '' },
          ...{ replaced: line.version, forgotten: forgotten === undefined ? null : json(forgotten) },
        })
        await insert(sql, 'message', [row])
        if (forgotten === undefined && message !== null)
          await addText('message', { id, principal, text: searchText(message) })
      } else if (line.type === 'summary') {
        const { type: _, ...summary } = line
        const row = summaryRow(no, principal, summary)
        await insert(sql, 'summary', [row])
        if (summary.forgotten === undefined)
          await addText('summary', { id: row.id, principal, text: summary.text })
      } else if (line.type === 'frontier') await insert(sql, 'frontier', [frontierRow(no, principal, line)])
      else if (line.type === 'job') await insert(sql, 'job', [jobRow(no, principal, line)])
      else if (line.type === 'state')
        await insert(sql, 'state', [stateRow(no, principal, line.name, line.body)])
    }
    return true
  }, principal)
}

function invalid(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_EXPORT', `the export cannot be read (${reason}); export the store again`, {
    cause,
  })
}
