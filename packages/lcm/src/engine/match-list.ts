import {
  equalValues,
  isBridge,
  isInstruction,
  isSummary,
  type Message,
  messageText,
  readSummary,
  repairMessages,
  stripReasoning,
} from '@palimpsest/core'
import { liveSeqs } from '../history/replaced-ranges.ts'
import { storedBeginning } from '../history/stored-beginning.ts'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'
import { readMessages } from './load-window.ts'
import { type ContextWindow, isUserTurn, type NewMessage, type WindowMessage } from './window.ts'

export interface ListMatch {
  /** The numbers of the messages at its beginning that are known; null for what an engine wrote. */
  readonly seqs: readonly (number | null)[]
  /** When the host edited its history: messages from this number on gave way to the rest of the list. */
  readonly replaceFrom?: number
  /** Indexes of messages that are stored to the last byte, both inclusive. Others may be shown in part. */
  readonly stored?: SeqRange
}

/** A summary that this engine wrote, and the number of the last message that it stands for. */
export interface ShownSummary {
  readonly message: Message
  readonly covered: number
}

export interface MatchInput {
  readonly open: () => Promise<LcmSession>
  readonly window: ContextWindow
  readonly list: readonly NewMessage[]
  readonly shown?: ShownSummary | undefined
}

/** A message that is expected, with its number; null for what the engine wrote. */
interface Expected {
  readonly message: Message
  readonly seq: number | null
}

/**
 * Finds out which messages of a list are which, by place and value: after a restart, and for a host that tells no origins.
 * The list is the raw history from its beginning, or a projection with what came behind it. Only a raw history behind
 * summaries costs a look at all of it.
 */
export async function matchList(input: MatchInput): Promise<ListMatch> {
  const { window, list } = input
  const messages = list.map(({ message }) => message)
  const raw = window.nodes.length === 0 ? [...window.leading, ...window.tail] : undefined
  const match = raw && compare(messages, raw, 0)
  if (match && match.replaceFrom === undefined && match.seqs.length > 0) return match
  const projection = await expectedProjection(input, messages)
  const behind = projection && compare(messages, projection, seqsOf(projection).indexOf(null) + 1)
  if (behind !== undefined) return behind
  if (raw === undefined) return matchStored(input, messages)
  return match ?? cutAt(seqsOf(raw), commonLength(messages, raw))
}

/**
 * Compares a list with the one that is expected. Reasoning is left out of it, which is stripped when something before it
 * changes; the system prompt may have a new text. Undefined when the lists part before `least` messages.
 */
function compare(
  list: readonly Message[],
  expected: readonly Expected[],
  least: number,
): ListMatch | undefined {
  const length = commonLength(list, expected)
  const seqs = seqsOf(expected)
  if (length === list.length) return { seqs: seqs.slice(0, length) }
  const mended = matchMended(list, expected)
  if (mended.length > length) return { seqs: mended }
  if (length === expected.length) return { seqs }
  // A bridge beside a summary comes and goes with what stands next to it: that is no edit.
  if (length < least || isBridge(list[length]) || isBridge(expected[length]?.message)) return undefined
  return cutAt(seqs, length)
}

/** The first `length` messages are known; what stands behind them gave way to the rest of the list. */
export function cutAt(seqs: readonly (number | null)[], length: number): ListMatch {
  const replaceFrom = seqs.slice(length).find((seq) => seq !== null)
  return { seqs: seqs.slice(0, length), ...(typeof replaceFrom === 'number' && { replaceFrom }) }
}

function seqsOf(expected: readonly Expected[]): (number | null)[] {
  return expected.map(({ seq }) => seq)
}

/**
 * The numbers of the messages at the beginning of a list when they are the expected ones with their broken pairs mended;
 * empty when they are not. The last one stands for all that was expected.
 */
function matchMended(list: readonly Message[], expected: readonly Expected[]): readonly (number | null)[] {
  if (expected.length === 0) return []
  const numbers = new Map(expected.map(({ message, seq }) => [message, seq]))
  const last = seqsOf(expected).findLast((seq) => seq !== null) ?? null
  for (const inFlight of [false, true]) {
    const { messages } = repairMessages(
      expected.map(({ message }) => message),
      { inFlight },
    )
    const mended = messages.map((message) => ({ message, seq: numbers.get(message) ?? null }))
    if (commonLength(list, mended) === mended.length) return [...seqsOf(mended).slice(0, -1), last]
  }
  return []
}

/** Length of the common beginning of two lists; system prompts may differ in their text. */
function commonLength(list: readonly Message[], expected: readonly Expected[]): number {
  const end = Math.min(list.length, expected.length)
  let index = end > 0 && isInstruction(list[0]) && isInstruction(expected[0]?.message) ? 1 : 0
  while (index < end && isSame(list[index] as Message, expected[index] as Expected)) index++
  return index
}

/** True for a message as a host may hold it: without reasoning, or a result that `showMessage` showed in part. */
function isSame(one: Message, { message, seq }: Expected): boolean {
  if (one === message || equalValues(stripReasoning(one), stripReasoning(message))) return true
  if (one.role !== 'tool' || message.role !== 'tool' || seq === null) return false
  return messageText(one).includes(`the whole result is m${seq}: lcm_expand`)
}

/** The attributes of blocks that `renderSummaries` wrote: the messages, and the id of the last summary. */
const COVERED =
  /<(?:summary id="s(\d+)" depth="\d+"|index) messages="m(\d+)(?:-m(\d+))?"(?:[^<>]*>[s\d -]*s(\d+):)?/g

/**
 * The list of a host that begins with a projection of this session: the summary message, and behind it the session's
 * messages from the end of the summaries on. Undefined when the list has no summary of this session.
 */
async function expectedProjection(
  input: MatchInput,
  list: readonly Message[],
): Promise<readonly Expected[] | undefined> {
  const at = list.findIndex(isSummary)
  // Behind the first turn it is a text that was pasted.
  if (at === -1 || !list.slice(0, at).every(isInstruction)) return undefined
  const covered = await coveredBy(input, list[at] as Message)
  if (covered === undefined) return undefined
  const behind = isBridge(list[at + 1]) ? at + 2 : at + 1
  const { leading } = input.window
  const own = list.slice(0, behind).map((message, index) => ({
    message,
    seq: index < at ? (leading[index]?.seq ?? null) : null,
  }))
  const plain = [...own, ...(await messagesBehind(input, covered))]
  const request = await requestBehind(input, covered, list[behind])
  if (request === undefined) return plain
  const next = list[behind + 1]
  const bridge: Expected[] = next !== undefined && isBridge(next) ? [{ message: next, seq: null }] : []
  // The user may have said the same twice: once before the summaries end, and once behind.
  const requested = [...own, request, ...bridge, ...plain.slice(own.length)]
  return commonLength(list, requested) > commonLength(list, plain) ? requested : plain
}

/** The number of the last message that a summary stands for; undefined for one of another session. */
export async function coveredBy(
  { open, window, shown }: Pick<MatchInput, 'open' | 'window' | 'shown'>,
  summary: Message,
): Promise<number | undefined> {
  if (shown !== undefined && equalValues(shown.message, summary)) return shown.covered
  const end = [...(readSummary(summary) ?? '').matchAll(COVERED)].at(-1)
  if (end === undefined) return undefined
  const [, id, first, last = first, lastIndexed = id] = end
  const number = Number(lastIndexed)
  const known = window.nodes.find((node) => node.number === number)
  const [node] = known === undefined ? await (await open()).summaries([number]) : [known]
  return node?.last === Number(last) ? node.last : undefined
}

async function messagesBehind(
  { open, window }: MatchInput,
  covered: number,
): Promise<readonly WindowMessage[]> {
  if (covered === window.nodes.at(-1)?.last) return window.tail
  const messages: WindowMessage[] = []
  for await (const message of readMessages(await open(), { first: covered + 1 })) messages.push(message)
  return messages
}

/** The user's last message among those that are covered, when it is what stands behind the summary. */
async function requestBehind(
  { open, window }: MatchInput,
  covered: number,
  message: Message | undefined,
): Promise<WindowMessage | undefined> {
  if (message?.role !== 'user') return undefined
  const isMeant = (known: WindowMessage) => JSON.stringify(known.message) === JSON.stringify(message)
  if (window.request !== undefined && covered === window.nodes.at(-1)?.last)
    return isMeant(window.request) ? window.request : undefined
  for await (const known of readMessages(await open(), { last: covered, order: 'newest' }))
    if (isUserTurn(known)) return isMeant(known) ? known : undefined
  return undefined
}

/**
 * The raw history, to the byte as long as that goes, then by value: a projection without a summary may show a message in part,
 * without its reasoning, or with its broken pairs mended.
 */
async function matchStored(
  { open, window, list }: MatchInput,
  messages: readonly Message[],
): Promise<ListMatch> {
  const session = await open()
  const seqs = liveSeqs(window).slice(0, list.length)
  const { leading } = window
  const other = messages.findIndex((message, index) => index >= leading.length || !isInstruction(message))
  const first = other === -1 ? messages.length : other
  const same = await storedBeginning(session, seqs, messages, first)
  if (same === seqs.length) return { seqs, stored: { first, last: same - 1 } }
  const known: WindowMessage[] = []
  for await (const message of readMessages(session, {})) known.push(message)
  return compare(messages, known, same) ?? { seqs: seqs.slice(0, same), replaceFrom: seqs[same] as number }
}
