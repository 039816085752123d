import { createHash } from 'node:crypto'
import { StoreError } from '../errors/store-error.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import type { LcmStore, SessionRef } from '../store/lcm-store.ts'
import { listSessions } from '../store/list-sessions.ts'
import { EXPORT_HEADER, type ExportLine, type LineOf } from './export-lines.ts'

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
