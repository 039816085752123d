import { createHash } from 'node:crypto'
import { storedMessages } from '../engine/load-window.ts'
import { StoreError } from '../errors/store-error.ts'
import type { LcmSession, SessionHead, StoredMessage, SummaryNode } from '../store/lcm-session.ts'
import { type LcmStore, listSessions, type SessionRef } from '../store/lcm-store.ts'

/** The first line of an export. */
export const EXPORT_HEADER = { format: 'palimpsest-lcm', version: 1 } as const

interface SessionLine extends Required<SessionRef>, Omit<SessionHead, 'version'> {
  readonly type: 'session'
  /** The numbers of the summaries in force, in order. */
  readonly frontier: readonly number[]
}

interface EndLine {
  readonly type: 'end'
  readonly sessions: number
  readonly messages: number
  /** Of all lines before this one in UTF-8, each with its newline. */
  readonly sha256: string
}

/**
 * A line behind the header. A session is followed by its messages and its summaries, in the order of their numbers; the end
 * proves all lines before it.
 */
export type ExportLine =
  | SessionLine
  | ({ readonly type: 'message' } & Omit<StoredMessage, 'replaced'>)
  | ({ readonly type: 'summary' } & SummaryNode)
  | EndLine
export type LineOf<Type extends ExportLine['type']> = Extract<ExportLine, { type: Type }>

/** Rows of a session that are read at a time. */
const PAGE = 200

/**
 * A store, or some sessions of it, as lines of JSON without newlines: all messages, replaced ones too, all summaries, and which of
 * them are in force. The same content gives the same lines, whatever the kind of the store. Earlier versions of the frontier are
 * left out.
 *
 * @param options `sessions`: only these. Default: all.
 * @throws StoreError `NOT_FOUND` for an unknown session.
 */
export async function* exportStore(
  store: LcmStore,
  options: { readonly sessions?: readonly Required<SessionRef>[] } = {},
): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const counts = { sessions: 0, messages: 0 }
  const proved = (value: object): string => {
    const line = JSON.stringify(value)
    digest.update(`${line}\n`)
    return line
  }

  yield proved(EXPORT_HEADER)
  for await (const { principal, key } of options.sessions ?? listSessions(store)) {
    const session = await store.find({ principal, key })
    if (session === null) throw new StoreError('NOT_FOUND', `there is no session ${key} of ${principal}`)
    for await (const line of sessionLines(session)) {
      if (line.type === 'session') counts.sessions++
      if (line.type === 'message') counts.messages++
      yield proved(line)
    }
  }
  yield JSON.stringify({ type: 'end', ...counts, sha256: digest.digest('hex') } satisfies ExportLine)
}

/** A session as it is at the first line: later writes stay out. */
async function* sessionLines(session: LcmSession): AsyncGenerator<ExportLine> {
  const { principal, key } = session
  const { createdAt, nextSeq, nextSummary, replaced, version } = await session.head()
  const frontier = (await session.frontier(version)).nodes.map(({ number }) => number)
  yield { type: 'session', principal, key, createdAt, nextSeq, nextSummary, replaced, frontier }
  yield* messageLines(session, nextSeq)
  for (let first = 1; first < nextSummary; first += PAGE) {
    const count = Math.min(PAGE, nextSummary - first)
    const nodes = await session.summaries(Array.from({ length: count }, (_, index) => first + index))
    for (const node of nodes) yield { type: 'summary', ...node }
  }
}

/** The messages before a number, replaced ones too. */
export async function* messageLines(session: LcmSession, end: number): AsyncGenerator<LineOf<'message'>> {
  const query = { first: 0, last: end - 1, includeReplaced: true }
  for await (const { replaced: _, ...message } of storedMessages(session, query, PAGE))
    yield { type: 'message', ...message }
}
