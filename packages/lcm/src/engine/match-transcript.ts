import { isBridge, isInstruction, isSummary, type Message, readSummary } from '@palimpsest/core'
import type { LcmSession } from '../store/lcm-session.ts'
import { type HeldList, heldFrom, joinHeld } from './held-list.ts'
import { readMessages } from './load-window.ts'
import { commonLength, type ListMatch, matchHeld } from './match-list.ts'
import { type ContextWindow, isUserTurn, type WindowMessage } from './window.ts'
import type { NewMessage } from './window-message.ts'

/** Hashes that are read at once. */
const PAGE = 2_000

/**
 * Compares a list with everything that the session holds: the raw history from its beginning, or a projection that an
 * earlier engine on this store made, with what came behind it. Costs a look at the whole list, so it is for the first
 * list after a start and for lists that nobody expected.
 */
export async function matchTranscript(
  session: LcmSession,
  window: ContextWindow,
  list: readonly NewMessage[],
): Promise<ListMatch> {
  const messages = list.map(({ message }) => message)
  const held = await recogniseProjection(session, messages)
  if (held !== undefined) {
    const match = matchHeld(messages, held, held.seqs.indexOf(null) + 1)
    if (match !== undefined) return match
  }
  return matchRaw(session, window, list)
}

/**
 * By hash as long as that goes, then by value: a projection without a summary may show a message in part, without its
 * reasoning, or with its broken pairs mended.
 */
async function matchRaw(
  session: LcmSession,
  window: ContextWindow,
  list: readonly NewMessage[],
): Promise<ListMatch> {
  const seqs: number[] = []
  for (let first = 0; first < window.nextSeq && seqs.length < list.length; ) {
    const page = await session.hashes({ first, last: window.nextSeq - 1, limit: PAGE })
    for (const { seq, hash } of page) {
      const given = list[seqs.length]
      if (given === undefined) break
      const isSystem = seqs.length < window.leading.length && isInstruction(given.message)
      if (!isSystem && given.encoded.hash !== hash)
        return matchValues(session, list, { seqs, replaceFrom: seq })
      seqs.push(seq)
    }
    const end = page.at(-1)
    if (end === undefined) break
    first = end.seq + 1
  }
  return { seqs }
}

async function matchValues(
  session: LcmSession,
  list: readonly NewMessage[],
  least: ListMatch,
): Promise<ListMatch> {
  const known: WindowMessage[] = []
  for await (const message of readMessages(session, {})) known.push(message)
  const messages = list.map(({ message }) => message)
  return matchHeld(messages, heldFrom(known), least.seqs.length) ?? least
}

/** The attributes of blocks that `renderSummaries` wrote: the messages, and the id of the last summary. */
const COVERED =
  /<(?:summary id="s(\d+)" depth="\d+"|index) messages="m(\d+)(?:-m(\d+))?"(?:[^>]*>[s\d -]*s(\d+):)?/g

/**
 * What the host holds when its list begins with a projection of this session: the summary message, and behind it what
 * the session knows from the end of the summaries on. Undefined when the list has no summary of this session.
 */
async function recogniseProjection(
  session: LcmSession,
  list: readonly Message[],
): Promise<HeldList | undefined> {
  const at = list.findIndex(isSummary)
  // Behind the first turn it is a text that somebody pasted.
  if (at === -1 || !list.slice(0, at).every(isInstruction)) return undefined
  const text = readSummary(list[at] as Message)
  if (text === undefined) return undefined
  const end = [...text.matchAll(COVERED)].at(-1)
  if (end === undefined) return undefined
  const [, id, first, last = first, lastIndexed = id] = end
  const covered = Number(last)
  const [node] = await session.summaries([Number(lastIndexed)])
  if (node?.last !== covered) return undefined

  const behind = isBridge(list[at + 1]) ? at + 2 : at + 1
  const held: WindowMessage[] = []
  for await (const message of readMessages(session, { first: covered + 1 })) held.push(message)
  const own = list.slice(0, behind)
  const leading = await session.messages({ limit: Math.max(1, at) })
  const ownSeqs = own.map((_, index) => (index < at ? (leading[index]?.seq ?? null) : null))
  const shown = (known: readonly WindowMessage[]) =>
    joinHeld({ messages: own, seqs: ownSeqs }, heldFrom(known))
  const request = await requestBehind(session, covered, list[behind])
  const plain = shown(held)
  if (request === undefined) return plain
  // The user may have said the same twice: once before the summaries end, and once behind.
  const requested = shown([request, ...held])
  return commonLength(list, requested) > commonLength(list, plain) ? requested : plain
}

/** The user's last message among those that are covered, when it is what stands behind the summary. */
async function requestBehind(
  session: LcmSession,
  covered: number,
  message: Message | undefined,
): Promise<WindowMessage | undefined> {
  if (message?.role !== 'user') return undefined
  for await (const known of readMessages(session, { last: covered, order: 'newest' })) {
    if (!isUserTurn(known)) continue
    return JSON.stringify(known.message) === JSON.stringify(message) ? known : undefined
  }
  return undefined
}
