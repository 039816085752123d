import {
  countMessages,
  type Message,
  messageText,
  type TokenCounter,
  type ToolMessage,
  toolTransactions,
} from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import type { CompressorProfile } from './options.ts'
import { shortenArguments } from './shorten-arguments.ts'
import { cutMiddle, isShortened, redactedCalls, stubResult, withText } from './tool-result-stub.ts'

export interface FittedTail {
  readonly messages: readonly Message[]
  /** Originals of the messages whose text was cut: the summary has to carry what they said. */
  readonly spilled: readonly Message[]
}

export interface TailLimits {
  /** Tokens above which older results and long arguments are shortened. */
  readonly max: number
  /** Tokens above which the newest results are shortened too, which the model has not seen yet. */
  readonly newest: number
}

/** Characters of a result that even the last step leaves. */
const LEAST_CHARACTERS = 200

/**
 * Shortens tool results and call arguments of the tail until it fits: old rounds by rule, then under pressure
 * the results that the model has seen, the oldest first, then long arguments, then what the model has not seen
 * yet, which keeps its beginning and its end. Texts of users and assistants are never touched. Idempotent: what
 * was cut is not cut again.
 */
export function fitTail(
  tail: readonly Message[],
  { max: maxTokens, newest }: TailLimits,
  profile: CompressorProfile,
  tokens: TokenCounter,
): FittedTail {
  const messages = [...tail]
  const calls = redactedCalls(messages)
  let size = countMessages(tokens, messages)

  const replace = (index: number, next: Message): void => {
    const before = messages[index] as Message
    const gain = tokens.countMessage(before) - tokens.countMessage(next)
    if (gain <= 0) return
    size -= gain
    messages[index] = next
  }
  const stub = (index: number, minCharacters: number): void => {
    const message = messages[index]
    if (message?.role !== 'tool') return
    const text = messageText(message)
    if (text.length < minCharacters || isShortened(text)) return
    replace(index, stubResult(message, calls.get(message)))
  }

  const { oldResults } = profile
  if (oldResults !== null)
    for (const index of oldRounds(messages, oldResults.rounds)) stub(index, oldResults.characters)
  for (const index of duplicates(messages)) stub(index, LEAST_CHARACTERS)

  // The results of the last calls, which the model has not seen yet, are never reduced to a line.
  const unseen = toolTransactions(messages).at(-1)?.start ?? 0
  const seen = messages.flatMap((message, index) =>
    message.role === 'tool' && index < unseen ? [index] : [],
  )
  for (const index of seen) if (size > maxTokens) stub(index, LEAST_CHARACTERS)
  messages.forEach((message, index) => {
    if (size > maxTokens) replace(index, shortenArguments(message))
  })
  // Last of all the unseen ones: the longest result is halved until all fit.
  const halves = size > newest ? messages.flatMap((message, index) => [...halvings(message, index)]) : []
  for (const { index, half } of halves.sort((a, b) => b.characters - a.characters)) {
    if (size <= newest) break
    const before = size
    replace(index, half)
    if (size === before) break
  }

  return { messages, spilled: spilledOf(tail, messages) }
}

interface Halving {
  readonly index: number
  /** Length of the text before it. */
  readonly characters: number
  readonly half: ToolMessage
}

/** A result with half of its text, with half of that, and so on. */
function* halvings(message: Message, index: number): Generator<Halving> {
  if (message.role !== 'tool') return
  let half = message
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    // A secret that is cut in two would not be recognised any more.
    const text = messageText(redactMessage(half))
    const characters = text.length
    if (characters <= LEAST_CHARACTERS * 2 || characters >= before) return
    half = withText(message, cutMiddle(text, Math.floor(characters / 2)))
    yield { index, characters, half }
    before = characters
  }
}

/** Indices of tool results that are older than the last rounds of tools. */
function oldRounds(messages: readonly Message[], keepRounds: number): number[] {
  const rounds = toolTransactions(messages).filter(({ start, end }) => end - start > 1)
  return rounds
    .slice(0, Math.max(0, rounds.length - keepRounds))
    .flatMap(({ start, end }) => Array.from({ length: end - start - 1 }, (_, offset) => start + 1 + offset))
}

/** Indices of tool results whose text stands in a newer one again. Lists of parts are never compared. */
function duplicates(messages: readonly Message[]): number[] {
  const newest = new Map<string, number>()
  const older: number[] = []
  messages.forEach((message, index) => {
    if (message.role !== 'tool' || typeof message.content !== 'string') return
    const earlier = newest.get(message.content)
    if (earlier !== undefined) older.push(earlier)
    newest.set(message.content, index)
  })
  return older
}

/** Whole transactions of the original tail in which something was cut, so that a result has its call. */
function spilledOf(before: readonly Message[], after: readonly Message[]): Message[] {
  return toolTransactions(before)
    .map(({ start, end }) => ({ start, messages: before.slice(start, end) }))
    .filter(({ start, messages }) => messages.some((message, offset) => message !== after[start + offset]))
    .flatMap(({ messages }) => messages)
}
