import { createHash } from 'node:crypto'
import { isWhole, startedSession } from './create-session.ts'
import type { Database, Value } from './database.ts'
import { StoreError } from './errors.ts'
import {
  checksum,
  type FrontierRow,
  frontierRow,
  idOf,
  insertOf,
  json,
  type MessageRow,
  type SessionRow,
  type SummaryRow,
  sealed,
  searchText,
  summaryRow,
  toFrontier,
  toMessage,
  toSummary,
} from './rows.ts'
import type { Frontier, ImportResult, SessionRef, StoredMessage, Summary } from './types.ts'
import { rowsOf } from './verify.ts'

const FORMAT = 'palimpsest-store-1'

type MessageLine = StoredMessage & { readonly version: number | null }

/** One line of an export. */
type Line =
  | { readonly type: 'export'; readonly format: typeof FORMAT }
  | {
      readonly type: 'session'
      readonly principal: string
      readonly key: string
      readonly createdAt: number
      readonly lastAt: number
      readonly version: number
      readonly nextSeq: number
      readonly nextSummary: number
    }
  | ({ readonly type: 'message' } & MessageLine)
  | ({ readonly type: 'summary' } & Summary)
  | ({ readonly type: 'frontier' } & Frontier)
  | {
      readonly type: 'event'
      readonly principal: string
      readonly scope: string
      readonly id: string
      readonly body: unknown
    }
  | { readonly type: 'end'; readonly sessions: number; readonly sha256: string }

/** The lines of a store, or of one session of it, with a checksum at the end. What is damaged is in it without its content. */
export async function* exportStore(
  database: Database,
  only?: SessionRef & { readonly principal: string },
): AsyncGenerator<string> {
  const sum = createHash('sha256')
  const write = (line: Line): string => {
    const text = `${JSON.stringify(line)}\n`
    sum.update(text)
    return text
  }
  yield write({ type: 'export', format: FORMAT })
  const all = await database.read((sql) =>
    sql.all<SessionRow>('SELECT * FROM session WHERE version >= 0 ORDER BY no'),
  )
  const sessions = all.filter(
    ({ principal, key }) => only === undefined || (principal === only.principal && key === only.key),
  )
  for (const {
    no,
    principal,
    key,
    created_at: createdAt,
    last_at: lastAt,
    version,
    next_seq: nextSeq,
    next_summary: nextSummary,
  } of sessions) {
    yield write({ type: 'session', principal, key, createdAt, lastAt, version, nextSeq, nextSummary })
    for await (const rows of rowsOf<MessageRow>(database, 'message', no))
      for (const row of rows)
        yield write({ type: 'message', ...toMessage(row, principal), version: row.replaced })
    for await (const rows of rowsOf<SummaryRow>(database, 'summary', no))
      for (const row of rows) yield write({ type: 'summary', ...toSummary(row, principal) })
    for await (const rows of rowsOf<FrontierRow>(database, 'frontier', no))
      for (const row of rows) yield write({ type: 'frontier', ...toFrontier(row, principal) })
  }
  if (only === undefined) {
    type EventRow = Parameters<typeof isWhole>[0]
    const events = await database.read((sql) => sql.all<EventRow>('SELECT * FROM event ORDER BY seq'))
    for (const event of events.filter(isWhole)) {
      const { principal, scope, id, body } = event
      yield write({ type: 'event', principal, scope, id, body: JSON.parse(body) })
    }
  }
  yield `${JSON.stringify({ type: 'end', sessions: sessions.length, sha256: sum.digest('hex') } satisfies Line)}\n`
}

/**
 * Writes an export into a store: sessions that are not there yet, each in one transaction, and events. It is read twice: nothing is
 * written before all of it was found whole.
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
      const { principal, scope, id, body } = line
      const [statement, values] = insertOf('event', [sealed({ principal, scope, id, body: json(body) })])
      await database.write(async (sql) => {
        await database.lockEvents(sql, principal)
        await sql.run(`${statement} ON CONFLICT DO NOTHING`, values)
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
    if (end !== undefined) throw invalid(`line ${count} is behind its end`)
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
  const { principal, key, createdAt, lastAt, version, nextSeq, nextSummary } = head
  return database.write(async (sql) => {
    const row = startedSession({ principal, key, createdAt, lastAt, version, nextSeq, nextSummary })
    const [statement, values] = insertOf('session', [row])
    if ((await sql.run(`${statement} ON CONFLICT DO NOTHING`, values)) === 0) return false
    const [made] = await sql.all<SessionRow>('SELECT * FROM session WHERE principal = ? AND key = ?', [
      principal,
      key,
    ])
    if (made === undefined) throw invalid(`${key} could not be made`)
    const { no } = made
    for (const line of lines) {
      if (line.type === 'message') {
        const { seq, role, at, tokens, message, forgotten, damaged } = line
        const id = idOf(no, seq)
        const body = forgotten !== undefined || damaged ? '' : json(message)
        const about = { id, principal, role, at, tokens, body }
        const gone = forgotten ?? (damaged && { at: lastAt, reason: 'it was damaged when it was exported' })
        const free = { replaced: line.version, forgotten: gone === undefined ? null : json(gone) }
        await sql.run(
          ...insertOf('message', [
            { ...about, ...free, checksum: checksum(Object.values(about) as Value[]) },
          ]),
        )
        if (gone === undefined && message !== null)
          await database.index(sql, 'message', { id, principal }, searchText(message))
      } else if (line.type === 'summary') {
        const { type: _, forgotten, ...summary } = line
        const gone = forgotten === undefined ? null : json(forgotten)
        await sql.run(...insertOf('summary', [{ ...summaryRow(no, principal, summary), forgotten: gone }]))
        if (gone === null)
          await database.index(sql, 'summary', { id: idOf(no, summary.number), principal }, summary.text)
      } else if (line.type === 'frontier')
        await sql.run(...insertOf('frontier', [frontierRow(no, principal, line)]))
    }
    return true
  }, principal)
}

function invalid(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_EXPORT', `the export cannot be read: ${reason}`, { cause })
}
