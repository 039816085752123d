import { createHash } from 'node:crypto'
import { lazily, z } from '@palimpsest/core/options'
import { StoreError } from '../errors/store-error.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { type LcmStore, listSessions, type SessionRef } from '../store/lcm-store.ts'

/** The first line of an export. */
export const EXPORT_HEADER = { format: 'palimpsest-lcm', version: 1 } as const

export const headerSchema = lazily(() =>
  z.object({ format: z.literal(EXPORT_HEADER.format), version: z.int() }),
)

/**
 * A line behind the header. A session is followed by its messages and its summaries, in the order of their numbers; the end
 * proves all lines before it.
 */
export const lineSchema = lazily(() => {
  const count = z.int().min(0)
  const moment = z.number().min(0)
  const hash = z.string().regex(/^[0-9a-f]{64}$/)
  const forgotten = z.object({ at: moment, reason: z.string() }).exactOptional()

  const session = z.object({
    type: z.literal('session'),
    principal: z.string(),
    key: z.string(),
    createdAt: moment,
    nextSeq: count,
    nextSummary: count,
    replaced: z.array(z.object({ first: count, last: count })),
    /** The numbers of the summaries in force, in order. */
    frontier: z.array(count),
  })

  const message = z.object({
    type: z.literal('message'),
    seq: count,
    role: z.string(),
    hostId: z.string().exactOptional(),
    at: moment,
    tokens: z.number().min(0),
    hash,
    /** Empty when the message was forgotten. */
    json: z.string(),
    forgotten,
  })

  const summary = z.object({
    type: z.literal('summary'),
    number: count,
    depth: count,
    first: count,
    last: count,
    messages: count,
    children: z.array(count),
    text: z.string(),
    tokens: z.number().min(0),
    sourceTokens: z.number().min(0),
    writer: z.enum(['model', 'extractive', 'pointer']),
    at: moment,
    from: moment,
    to: moment,
    hash,
    forgotten,
  })

  const end = z.object({
    type: z.literal('end'),
    sessions: count,
    messages: count,
    /** Of all lines before this one in UTF-8, each with its newline. */
    sha256: hash,
  })

  return z.discriminatedUnion('type', [session, message, summary, end])
})

export type ExportLine = z.output<ReturnType<typeof lineSchema>>
export type LineOf<Type extends ExportLine['type']> = Extract<ExportLine, { type: Type }>

/** The error for an export that is incomplete, damaged, or from another version. */
export function invalidExport(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_EXPORT', `the export cannot be read: ${reason}`, { cause })
}

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
  yield {
    type: 'session',
    principal,
    key,
    createdAt,
    nextSeq,
    nextSummary,
    replaced: [...replaced],
    frontier,
  }
  yield* messageLines(session, nextSeq)
  for (let first = 1; first < nextSummary; first += PAGE) {
    const count = Math.min(PAGE, nextSummary - first)
    const numbers = Array.from({ length: count }, (_, index) => first + index)
    for (const { children, forgotten, ...node } of await session.summaries(numbers)) {
      const { number, depth, first, last, messages, text, tokens, sourceTokens, writer } = node
      const { at, from, to, hash } = node
      yield {
        ...{ type: 'summary', number, depth, first, last, messages, children: [...children], text, tokens },
        ...{ sourceTokens, writer, at, from, to, hash },
        ...(forgotten && { forgotten: { at: forgotten.at, reason: forgotten.reason } }),
      }
    }
  }
}

/** The messages before a number, replaced ones too. */
export async function* messageLines(session: LcmSession, end: number): AsyncGenerator<LineOf<'message'>> {
  for (let first = 0; first < end; first += PAGE) {
    const last = Math.min(first + PAGE, end) - 1
    const query = { first, last, limit: PAGE, includeReplaced: true }
    for (const { seq, role, hostId, at, tokens, hash, json, forgotten } of await session.messages(query))
      yield {
        ...{ type: 'message', seq, role },
        ...(hostId !== undefined && { hostId }),
        ...{ at, tokens, hash, json },
        ...(forgotten && { forgotten: { at: forgotten.at, reason: forgotten.reason } }),
      }
  }
}
