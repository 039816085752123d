import { hash } from 'node:crypto'
import { contentParts, type Message, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import type { Value } from './database.ts'
import { checkTokens } from './errors.ts'
import type { Candidate, Forgetting, Frontier, NewMessage, StoredMessage, Summary } from './types.ts'

/** Rows of one table that a session may have: its number and theirs are one id. */
export const ROWS_PER_SESSION = 2 ** 32

export const idOf = (session: number, number: number): number => session * ROWS_PER_SESSION + number
export const numberOf = (id: number): number => id % ROWS_PER_SESSION

/** Hexadecimal digits of a checksum: more than chance needs, and it guards against nothing else. */
const CHECKSUM_DIGITS = 32

/** The checksum of a row: of its values in the order of its columns. */
export function checksum(values: readonly Value[]): string {
  return hash('sha256', JSON.stringify(values)).slice(0, CHECKSUM_DIGITS)
}

type Row = Readonly<Record<string, Value>>

/** A row with its checksum in the last column. `free`: columns that may change without it. */
export function sealed(row: Row, free: Row = {}): Row {
  return { ...row, ...free, checksum: checksum(Object.values(row)) }
}

/** One INSERT for rows with the same columns. */
export function insertOf(table: string, rows: readonly Row[]): [string, Value[]] {
  const columns = Object.keys(rows[0] ?? {})
  const marks = `(${columns.map(() => '?').join(', ')})`
  return [
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`,
    rows.flatMap((row) => Object.values(row)),
  ]
}

/** Lone surrogates cannot be written as UTF-8, and C interfaces end a text at a NUL character. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** A value as JSON, in which every character can be stored. */
export function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/g
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** JSON with its escapes as what they stand for, so that a search finds what was written. */
function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, code: string | undefined, letter: string) =>
    code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** All text of a message that a search reads: content, refusal, names and arguments of calls. */
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
): Row {
  const { role } = (message ?? {}) as { role?: unknown }
  const row = {
    id,
    principal,
    role: storable(String(role)),
    at,
    tokens: checkTokens('tokens', tokens),
    body: json(message),
  }
  return sealed(row, { replaced: null, forgotten: null })
}

export function toMessage(row: MessageRow, principal: string): StoredMessage {
  const { id, role, at, tokens, body, replaced, forgotten } = row
  const seq = numberOf(id)
  const isDamaged = checksum([id, principal, role, at, tokens, body]) !== row.checksum
  return {
    ...{ seq, role, at, tokens, replaced: replaced !== null },
    message: isDamaged || forgotten !== null ? null : JSON.parse(body),
    ...(forgotten !== null && { forgotten: JSON.parse(forgotten) as Forgetting }),
    ...(isDamaged && { damaged: true as const }),
  }
}

export function toCandidate({ id, role, at, body, replaced }: MessageRow): Candidate {
  return { number: numberOf(id), role, at, text: searchText(readBody(body)), replaced: replaced !== null }
}

function readBody(body: string): Message {
  try {
    return JSON.parse(body)
  } catch {
    return { role: 'user', content: '' }
  }
}

export interface SummaryRow {
  readonly id: number
  readonly at: number
  readonly first: number
  readonly last: number
  readonly body: string
  readonly forgotten: string | null
  readonly checksum: string
}

export function summaryRow(session: number, principal: string, summary: Summary): Row {
  const { number, first, last, at, forgotten: _, damaged: __, ...body } = summary
  const row = {
    id: idOf(session, number),
    principal,
    first,
    last,
    at,
    body: json({ ...body, text: storable(body.text) }),
  }
  return sealed(row, { forgotten: null })
}

export function toSummary(row: SummaryRow, principal: string): Summary {
  const { id, first, last, at, body, forgotten } = row
  const isDamaged = checksum([id, principal, first, last, at, body]) !== row.checksum
  const about = { number: numberOf(id), first, last, at }
  const known = isDamaged ? NOTHING : (JSON.parse(body) as typeof NOTHING)
  return {
    ...about,
    ...known,
    ...(forgotten !== null && { text: '', forgotten: JSON.parse(forgotten) as Forgetting }),
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
  readonly reason: Frontier['reason']
  readonly next_seq: number
  readonly at: number
  readonly summaries: string
  readonly checksum: string
}

export function frontierRow(session: number, principal: string, frontier: Frontier): Row {
  const { version, reason, nextSeq, at, summaries } = frontier
  return sealed({
    id: idOf(session, version),
    principal,
    reason,
    next_seq: nextSeq,
    at,
    summaries: json(summaries),
  })
}

export function toFrontier(row: FrontierRow, principal: string): Frontier {
  const { id, reason, next_seq: nextSeq, at, summaries } = row
  const isDamaged = checksum([id, principal, reason, nextSeq, at, summaries]) !== row.checksum
  return {
    ...{ version: numberOf(id), reason, nextSeq, at },
    summaries: isDamaged ? [] : JSON.parse(summaries),
    ...(isDamaged && { damaged: true as const }),
  }
}

export interface SessionRow {
  readonly no: number
  readonly principal: string
  readonly key: string
  readonly created_at: number
  readonly next_seq: number
  readonly next_summary: number
  readonly version: number
  readonly checksum: string
  readonly last_at: number
  readonly lease_holder: string | null
  readonly lease_token: number
  readonly lease_until: number
}

/** The checksum of a session's counters. */
export function sessionChecksum(
  row: Pick<SessionRow, 'principal' | 'key' | 'created_at' | 'next_seq' | 'next_summary' | 'version'>,
): string {
  const { principal, key, created_at, next_seq, next_summary, version } = row
  return checksum([principal, key, created_at, next_seq, next_summary, version])
}
