import { isInstruction } from '@palimpsest/core'
import { cutFrontier } from '../history/frontier-history.ts'
import { previousLive } from '../history/replaced-ranges.ts'
import type { LcmSession, MessageQuery, StoredMessage } from '../store/lcm-session.ts'
import { type ContextWindow, fromStored, isUserTurn, type WindowMessage } from './window.ts'

const PAGE = 500
const LEADING_PAGE = 8

/** Times that a session is read again because another process wrote meanwhile. */
const ATTEMPTS = 5

/** Reads the active context of a session: its frontier, what stands behind it, and the system prompt. */
export async function loadWindow(session: LcmSession): Promise<ContextWindow> {
  for (let attempt = 1; ; attempt++) {
    const head = await session.head()
    const frontier = await session.frontier()
    const window = await readWindow(session, { ...head, ...frontier })
    const { nextSeq, version } = await session.head()
    const isOfOneMoment = nextSeq === head.nextSeq && version === head.version
    if (isOfOneMoment || attempt === ATTEMPTS) return window
  }
}

/**
 * The context as it would be if the session ended before message `nextSeq`, with the summaries that are there. What ends
 * a context is raw: one that ended in a summary would be followed by a turn of any role.
 */
export async function loadWindowBefore(
  session: LcmSession,
  window: ContextWindow,
  nextSeq: number,
): Promise<ContextWindow> {
  const last = previousLive(window.replaced, nextSeq - 1)
  const nodes = await session.summaries(await cutFrontier(session, window.nodes, last))
  return readWindow(session, { ...window, nextSeq, nodes })
}

async function readWindow(
  session: LcmSession,
  { nextSeq, nextSummary, replaced, version, nodes }: Omit<ContextWindow, 'leading' | 'tail'>,
): Promise<ContextWindow> {
  const leading = await readLeading(session)
  const covered = nodes.at(-1)?.last ?? leading.at(-1)?.seq ?? -1
  const tail: WindowMessage[] = []
  for await (const message of readMessages(session, { first: covered + 1, last: nextSeq - 1 }))
    tail.push(message)
  const request = tail.some(isUserTurn) ? undefined : await lastUserBefore(session, covered)
  return { nextSeq, nextSummary, version, replaced, leading, nodes, tail, ...(request && { request }) }
}

/** Messages of a session in order, read in pages as far as they are taken. */
export async function* storedMessages(
  session: LcmSession,
  query: Omit<MessageQuery, 'limit'>,
  limit = PAGE,
): AsyncGenerator<StoredMessage> {
  let { first, last } = query
  for (;;) {
    const bounds = { ...(first !== undefined && { first }), ...(last !== undefined && { last }) }
    const page = await session.messages({ ...query, ...bounds, limit })
    yield* page
    const end = page.at(-1)
    if (end === undefined || page.length < limit) return
    if (query.order === 'newest') last = end.seq - 1
    else first = end.seq + 1
  }
}

/** The same as the context holds them. */
export async function* readMessages(
  ...input: Parameters<typeof storedMessages>
): AsyncGenerator<WindowMessage> {
  for await (const message of storedMessages(...input)) yield fromStored(message)
}

async function readLeading(session: LcmSession): Promise<WindowMessage[]> {
  const leading: WindowMessage[] = []
  for await (const message of readMessages(session, {}, LEADING_PAGE)) {
    if (!isInstruction(message.message)) break
    leading.push(message)
  }
  return leading
}

async function lastUserBefore(session: LcmSession, last: number): Promise<WindowMessage | undefined> {
  if (last < 0) return undefined
  for await (const message of readMessages(session, { last, order: 'newest' }))
    if (isUserTurn(message)) return message
  return undefined
}
