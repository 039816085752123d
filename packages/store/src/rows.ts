import { hash } from 'node:crypto'
import type {
  Forgetting,
  Frontier,
  NewEvent,
  NewJob,
  NewMessage,
  StoredMessage,
  Summary,
} from '@palimpsest/core'
import { contentParts, type Message, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import type { Row, Sql } from './database.ts'
import { checkName, checkTokens, StoreError } from './errors.ts'

/** Maximum rows of a session per table. A row's id combines the session's number and its own. */
export const ROWS_PER_SESSION = 2 ** 32

export const idOf = (session: number, number: number): number => session * ROWS_PER_SESSION + number
export const numberOf = (id: number): number => id % ROWS_PER_SESSION

const CHECKED = {
  session: ['principal', 'key', 'created_at', 'next_seq', 'next_summary', 'version', 'edits'],
  message: ['id', 'principal', 'role', 'at', 'tokens', 'body', 'forgotten'],
  summary: ['id', 'principal', 'first', 'last', 'at', 'body', 'forgotten'],
  frontier: ['id', 'principal', 'reason', 'next_seq', 'at', 'summaries'],
  event: ['principal', 'scope', 'id', 'body'],
  job: ['principal', 'session', 'id', 'kind', 'body'],
  state: ['session', 'principal', 'name', 'body'],
} as const

export type Table = keyof typeof CHECKED

/** The tables. Each has a column `principal`, by which a database may hide rows. */
export const TABLES = Object.keys(CHECKED)

/** The checksum only detects accidental damage. */
const CHECKSUM_DIGITS = 32

/** A longer text, in characters, counts by its own hash: it is not written as JSON once more. */
const LONG_TEXT = 100_000

export function withChecksum<R extends object>(table: Table, row: R): R & { readonly checksum: string } {
  const values = CHECKED[table].map((column) => {
    const value = (row as Row)[column]
    return typeof value === 'string' && value.length > LONG_TEXT ? hash('sha256', value) : value
  })
  return { ...row, checksum: hash('sha256', JSON.stringify(values)).slice(0, CHECKSUM_DIGITS) }
}

export function isWhole(table: Table, row: { readonly checksum: string }): boolean {
  return withChecksum(table, row).checksum === row.checksum
}

export function checkSession(row: SessionRow): SessionRow {
  if (isWhole('session', row)) return row
  throw new StoreError(
    'STORE_CORRUPT',
    `the name or the counters of ${row.key} are not what was stored; take an older copy of the store`,
  )
}

/** Rows per statement: a database takes 32,766 values, and a row has at most twelve. */
const BATCH = 500

export async function insert(
  sql: Sql,
  table: string,
  rows: readonly object[],
  conflict = '',
): Promise<number> {
  let inserted = 0
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH)
    const columns = Object.keys(batch[0] ?? {})
    const marks = `(${columns.map(() => '?').join(', ')})`
    inserted += await sql.run(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${batch.map(() => marks).join(', ')} ${conflict}`,
      batch.flatMap((row) => Object.values(row)),
    )
  }
  return inserted
}

export const KEEP_KNOWN = 'ON CONFLICT DO NOTHING'

/** Lone surrogates cannot be written as UTF-8, and C interfaces end a text at a NUL character. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

export function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The searchable text of a message: content, refusal, names and arguments of calls. */
export function searchText(message: Message): string {
  const { refusal } = message as { refusal?: unknown }
  const texts = contentParts(message).map(({ text, refusal: refused }) => text ?? refused)
  const calls = toolCallsOf(message).map((call) => {
    const input = toolCallInput(call)
    return `${toolCallName(call)} ${call.type === 'custom' ? input : unescaped(input)}`
  })
  return [...texts, refusal, ...calls].filter((text) => typeof text === 'string').join('\n')
}

export interface MessageRow {
  readonly id: number
  readonly principal: string
  readonly role: string
  readonly at: number
  readonly tokens: number
  readonly body: string
  readonly replaced: number | null
  readonly forgotten: string | null
  readonly checksum: string
}

export function messageRow(
  { principal, id, at }: { readonly principal: string; readonly id: number; readonly at: number },
  { message, tokens }: NewMessage,
): MessageRow {
  const { role } = (message ?? {}) as { role?: unknown }
  return withChecksum('message', {
    ...{ id, principal, role: storable(String(role)), at },
    tokens: checkTokens('tokens', tokens),
    body: json(message),
    ...{ replaced: null, forgotten: null },
  })
}

export function toMessage(row: MessageRow): StoredMessage {
  const { id, role, at, tokens, body, replaced, forgotten } = row
  const place = { seq: numberOf(id), at, tokens, replaced: replaced !== null }
  if (!isWhole('message', row))
    return { ...place, role: ROLES.has(role) ? role : 'unknown', message: null, damaged: true }
  if (forgotten !== null) return { ...place, role, message: null, forgotten: JSON.parse(forgotten) }
  return { ...place, role, message: JSON.parse(body) }
}

const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

export interface SummaryRow {
  readonly id: number
  readonly principal: string
  readonly at: number
  readonly first: number
  readonly last: number
  readonly body: string
  readonly forgotten: string | null
  readonly checksum: string
}

export function summaryRow(session: number, principal: string, summary: Summary): SummaryRow {
  const { number, first, last, at, forgotten, damaged: _, ...body } = summary
  return withChecksum('summary', {
    ...{ id: idOf(session, number), principal, first, last, at },
    body: json({ ...body, text: storable(body.text) }),
    forgotten: forgotten === undefined ? null : json(forgotten),
  })
}

export function toSummary(row: SummaryRow): Summary {
  const { id, first, last, at, body, forgotten } = row
  const isDamaged = !isWhole('summary', row)
  return {
    ...{ number: numberOf(id), first, last, at },
    ...(isDamaged ? NOTHING : (JSON.parse(body) as typeof NOTHING)),
    ...(forgotten !== null && !isDamaged && { text: '', forgotten: JSON.parse(forgotten) as Forgetting }),
    ...(isDamaged && { damaged: true as const }),
  }
}

const NOTHING: Omit<Summary, 'number' | 'first' | 'last' | 'at'> = {
  depth: 0,
  messages: 0,
  children: [],
  text: '',
  tokens: 0,
  sourceTokens: 0,
  writer: 'pointer',
  from: 0,
  to: 0,
}

export interface FrontierRow {
  readonly id: number
  readonly principal: string
  readonly reason: Frontier['reason']
  readonly next_seq: number
  readonly at: number
  readonly summaries: string
  readonly checksum: string
}

export function frontierRow(session: number, principal: string, frontier: Frontier): FrontierRow {
  const { version, reason, nextSeq, at, summaries } = frontier
  return withChecksum('frontier', {
    ...{ id: idOf(session, version), principal, reason, next_seq: nextSeq, at },
    summaries: json(summaries),
  })
}

export function toFrontier(row: FrontierRow): Frontier {
  const { id, reason, next_seq: nextSeq, at, summaries } = row
  const place = { version: numberOf(id), nextSeq, at }
  if (!isWhole('frontier', row)) return { ...place, reason: 'start', summaries: [], damaged: true }
  return { ...place, reason, summaries: JSON.parse(summaries) }
}

export interface SessionRow {
  readonly no: number
  readonly principal: string
  readonly key: string
  readonly created_at: number
  readonly next_seq: number
  readonly next_summary: number
  readonly version: number
  readonly edits: number
  readonly checksum: string
  readonly last_at: number
}

export interface EventRow {
  readonly seq: number
  readonly principal: string
  readonly scope: string
  readonly id: string
  readonly body: string
  readonly checksum: string
}

export function eventRow(principal: string, scope: string, { id, body }: NewEvent) {
  return withChecksum('event', { principal, scope, id, body: json(body) })
}

export interface JobRow {
  readonly no: number
  readonly session: number
  readonly principal: string
  readonly id: string
  readonly kind: string
  readonly body: string
  readonly checksum: string
  readonly attempts: number
  readonly done: number
}

export function jobRow(session: number, principal: string, { id, kind, body }: NewJob) {
  return withChecksum('job', {
    ...{ session, principal, id: checkName('jobs.id', id), kind, body: json(body) },
    ...{ attempts: 0, done: 0, holder: null, until: 0 },
  })
}

export interface StateRow {
  readonly session: number
  readonly principal: string
  readonly name: string
  readonly body: string
  readonly checksum: string
}

export function stateRow(session: number, principal: string, name: string, body: unknown) {
  return withChecksum('state', { session, principal, name: checkName('name', name), body: json(body) })
}
