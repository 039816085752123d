import { isReplaced } from '../history/replaced-ranges.ts'
import { isStorable } from '../messages/encode-message.ts'
import type { SeqRange, StoredMessage, SummaryNode } from '../store/lcm-session.ts'
import type { NewMessage, StoredSession } from './stored-session.ts'

/** The highest number that a message, a summary or a version of a session can have: 31 bits, in every store. */
export const LAST_NUMBER = 2 ** 31 - 1

/** A limit as a database takes one: a whole number that is not negative. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.ceil(Math.min(limit, LAST_NUMBER)) : 0
}

/** Marks a name that is written as JSON. */
const JSON_MARK = '\u0001'

/** A name (a key, a role, a reason) as a text that a database can hold and compare, whatever characters are in it. */
export function packName(name: string): string {
  return isStorable(name) && !name.startsWith(JSON_MARK) ? name : JSON_MARK + JSON.stringify(name)
}

/** Undoes `packName`. */
export function unpackName(packed: string): string {
  return packed.startsWith(JSON_MARK) ? JSON.parse(packed.slice(JSON_MARK.length)) : packed
}

/** A SHA-256 as bytes: half of what its digits take. */
export function hashBytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex')
}

/** Undoes `hashBytes`. */
export function hashOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** The columns of a session that a write changes. */
interface StateColumns {
  readonly last_at: number
  readonly next_seq: number
  readonly next_summary: number
  readonly version: number
  /** JSON of `SeqRange[]`. */
  readonly replaced: string
  readonly lease_token: number
  readonly lease_holder: string | null
  readonly lease_until: number | null
}

/** The columns of a session. Names are packed, see `packName`. */
export interface SessionColumns extends StateColumns {
  readonly principal: string
  readonly key: string
  readonly created_at: number
}

export function toStoredSession(row: SessionColumns): StoredSession {
  const { lease_holder: holder } = row
  return {
    principal: unpackName(row.principal),
    key: unpackName(row.key),
    createdAt: row.created_at,
    lastAt: row.last_at,
    nextSeq: row.next_seq,
    nextSummary: row.next_summary,
    version: row.version,
    replaced: toRanges(row.replaced),
    leaseToken: row.lease_token,
    ...(holder !== null && { lease: { holder: unpackName(holder), until: row.lease_until ?? 0 } }),
  }
}

/** The replaced ranges of a row: in order and disjoint. */
export function toRanges(replaced: string): readonly SeqRange[] {
  return JSON.parse(replaced)
}

/** The columns of a new session. */
export function sessionColumns(session: StoredSession): Columns<SessionColumns> {
  const { principal, key, createdAt } = session
  return {
    principal: packName(principal),
    key: packName(key),
    created_at: createdAt,
    ...stateColumns(session),
  }
}

export function stateColumns(session: StoredSession): Columns<StateColumns> {
  const { lease } = session
  return {
    last_at: session.lastAt,
    next_seq: session.nextSeq,
    next_summary: session.nextSummary,
    version: session.version,
    replaced: JSON.stringify(session.replaced),
    lease_token: session.leaseToken,
    lease_holder: lease === undefined ? null : packName(lease.holder),
    lease_until: lease?.until ?? null,
  }
}

/** An interface as a type that any record takes. */
type Columns<Row> = { [Name in keyof Row]: Row[Name] }

/** Why and when the content of a row was deleted on request. */
interface TombstoneColumns {
  readonly forgotten_at: number | null
  readonly forgotten_reason: string | null
}

function toForgotten({ forgotten_at: at, forgotten_reason: reason }: TombstoneColumns) {
  return at === null ? {} : { forgotten: { at, reason: unpackName(reason ?? '') } }
}

function tombstoneColumns(forgotten: StoredMessage['forgotten']): TombstoneColumns {
  return {
    forgotten_at: forgotten?.at ?? null,
    forgotten_reason: forgotten === undefined ? null : packName(forgotten.reason),
  }
}

/** A message as a table holds it, without its number, its hash, and what only the indexes need. */
export interface MessageColumns extends TombstoneColumns {
  readonly role: string
  readonly at: number
  readonly tokens: number
  readonly host_id: string | null
  /** Empty when the message was forgotten. */
  readonly json: string
}

/** A row as a session gives it out. `replaced`: the ranges of the session. */
export function toStoredMessage(
  row: MessageColumns,
  { seq, hash, replaced }: Pick<StoredMessage, 'seq' | 'hash'> & { readonly replaced: readonly SeqRange[] },
): StoredMessage {
  return {
    seq,
    role: unpackName(row.role),
    ...(row.host_id !== null && { hostId: unpackName(row.host_id) }),
    at: row.at,
    tokens: row.tokens,
    hash,
    json: validJson(row.json),
    replaced: isReplaced(replaced, seq),
    ...toForgotten(row),
  }
}

/** A damaged text is given out as a JSON string: its hash tells, and the rest of the page can be read. */
function validJson(json: string): string {
  try {
    if (json !== '') JSON.parse(json)
    return json
  } catch {
    return JSON.stringify(json)
  }
}

/** Undoes `toStoredMessage`. */
export function messageColumns(message: NewMessage): Columns<MessageColumns> {
  const { role, at, tokens, hostId, forgotten, json } = message
  return {
    role: packName(role),
    at,
    tokens,
    host_id: hostId === undefined ? null : packName(hostId),
    ...tombstoneColumns(forgotten),
    json,
  }
}

/** A summary as a table holds it, without its number, its hash, its children, and what only the indexes need. */
export interface SummaryColumns extends TombstoneColumns {
  readonly depth: number
  readonly first: number
  readonly last: number
  readonly messages: number
  readonly tokens: number
  readonly source_tokens: number
  readonly writer: string
  readonly at: number
  readonly from_at: number
  readonly to_at: number
  /** Packed. */
  readonly text: string
}

/** A row as a session gives it out. */
export function toSummaryNode(
  row: SummaryColumns,
  { number, hash, children }: Pick<SummaryNode, 'number' | 'hash' | 'children'>,
): SummaryNode {
  const { depth, first, last, messages, tokens, writer, at } = row
  return {
    number,
    depth,
    first,
    last,
    messages,
    children,
    text: unpackName(row.text),
    tokens,
    sourceTokens: row.source_tokens,
    writer: writer as SummaryNode['writer'],
    at,
    from: row.from_at,
    to: row.to_at,
    hash,
    ...toForgotten(row),
  }
}

/** Undoes `toSummaryNode`. */
export function summaryColumns(node: SummaryNode): Columns<SummaryColumns> {
  const { depth, first, last, messages, tokens, sourceTokens, writer, at, from, to, forgotten } = node
  return {
    depth,
    first,
    last,
    messages,
    tokens,
    source_tokens: sourceTokens,
    writer,
    at,
    from_at: from,
    to_at: to,
    ...tombstoneColumns(forgotten),
    text: packName(node.text),
  }
}
