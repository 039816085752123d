import { countMessages } from '../budget/count-messages.ts'
import { checkMessage } from '../laws/check-message.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import { equalValues } from '../messages/equal-values.ts'
import { contentParts, toolCallInput, toolCallsOf } from '../messages/message-text.ts'
import { findLastUser } from '../messages/own-words.ts'
import { shortenCalls, shortenText } from '../messages/shorten-message.ts'
import { hasReasoning, stripReasoning } from '../messages/strip-reasoning.ts'
import { isSummary } from '../messages/summary-marker.ts'
import { toolTransactions } from '../messages/tool-transactions.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { inOtherForm, type TracedMessages } from './origins.ts'

export interface WindowFitCall {
  readonly projection: TracedMessages
  readonly transcript: readonly Message[]
  /** Whether it fits as it is. */
  readonly fits: boolean
  /** Room for the messages, in tokens of the counter. */
  readonly roomTokens: number
  /** Cut as far as possible, even if it is not enough; otherwise nothing is cut then. */
  readonly evenPartly: boolean
}

interface FittedMessages extends TracedMessages {
  /** Where in the projection something was cut just now. */
  readonly cut: readonly number[]
}

/**
 * The projection as a request can hold it, for what an engine did not make small enough. A text that was cut once is cut in the same way in every later request, so that a provider's cache holds. The
 * projection stays whole: an engine that summarises a message reads all of it.
 */
export function createWindowFit(tokens: TokenCounter) {
  let shown = new WeakMap<Message, Message>()
  let isCutting = false
  return {
    /** The projection with long texts cut where it does not fit; itself when nothing was ever cut in it. Frozen. */
    fit({ projection, transcript, fits, roomTokens, evenPartly }: WindowFitCall): FittedMessages {
      const { messages: whole } = projection
      if (fits && !isCutting) return { ...projection, cut: [] }
      const before = whole.map((message) => shown.get(message) ?? message)
      if (countMessages(tokens, before) <= roomTokens) return { ...inForm(projection, before), cut: [] }
      // So many messages do not fit when all their texts are gone: to cut them is minutes of work for nothing.
      const least = whole.length * tokens.countMessage({ role: 'assistant', content: '' })
      if (least > roomTokens && !evenPartly) return { ...inForm(projection, before), cut: [] }
      const verbatim = [transcript.findLast(isWritten), whole[findLastUser(whole)]]
      const fitted = fitMessages({
        messages: before,
        roomTokens,
        tokens,
        verbatim: verbatim.filter((message) => message !== undefined),
      })
      const first = fitted.findIndex((message, index) => message !== before[index])
      const isEnough = evenPartly || countMessages(tokens, fitted) <= roomTokens
      if (first === -1 || !isEnough) return { ...inForm(projection, before), cut: [] }
      isCutting = true
      // Reasoning is bound to all that stood before it, whole.
      const messages = fitted.map((message, index) =>
        index < first ? message : snapshotMessage(stripReasoning(message)),
      )
      const cut = [...whole.keys()].filter((index) => fitted[index] !== before[index])
      for (const [index, message] of whole.entries()) {
        const next = messages[index]
        if (next !== undefined && next !== message) shown.set(message, next)
      }
      return { ...inForm(projection, messages), cut }
    },
    /** Another conversation, or a model that may hold more: everything is shown whole again. */
    clear(): void {
      shown = new WeakMap()
      isCutting = false
    },
  }
}

/** The projection with its messages in another form; itself when they are its own. */
function inForm(projection: TracedMessages, messages: readonly Message[]): TracedMessages {
  const isSame = messages.map((message, index) => message === projection.messages[index])
  if (!isSame.includes(false)) return projection
  const origins = projection.origins.map((origin, index) => (isSame[index] ? origin : inOtherForm(origin)))
  return { messages: Object.freeze(messages), origins: Object.freeze(origins) }
}

function isWritten(message: Message): boolean {
  return message.role === 'user' && !isSummary(message) && checkMessage(message).length === 0
}

/** Cutting goes down to this share of the room, so that the next messages do not need another cut at once. */
const TARGET_SHARE = 0.85
/** From one try to the next, what a text keeps becomes this much shorter. */
const STEP = 0.85
/** Below this many characters, ends of a text say nothing: only the mark stays. */
const LEAST_CHARACTERS = 200

export interface FitInput {
  readonly messages: readonly Message[]
  readonly roomTokens: number
  readonly tokens: TokenCounter
  /** Messages of the user that stay verbatim, as every message of the same content does. */
  readonly verbatim: readonly Message[]
}

/** One kind of what may be cut when the window is full. */
interface Cut {
  applies(message: Message, index: number): boolean
  /** Characters of its longest text. */
  length(message: Message): number
  shorten(message: Message, characters: number): Message
}

/**
 * Cuts long texts until messages fit, for a prompt that would be refused otherwise. The order is: answered tool
 * results, newer ones, arguments of calls, reasoning, the assistant's texts, earlier texts of the user; within a kind
 * the longest first. A text keeps its beginning and its end. No message goes; the system prompt and summaries stay.
 * Messages in which nothing is cut come back as they are. Pure.
 */
export function fitMessages({ messages, roomTokens, tokens, verbatim }: FitInput): readonly Message[] {
  const fitted = [...messages]
  let size = countMessages(tokens, fitted)
  for (const cut of cutsFor(messages, verbatim)) {
    if (size <= roomTokens) break
    const found = fitted.flatMap((message, index) =>
      cut.applies(message, index) && cut.length(message) > 0 ? [{ index, message }] : [],
    )
    for (const characters of lengths(found, cut, size - roomTokens * TARGET_SHARE, tokens)) {
      for (const { index, message } of found) {
        const before = tokens.countMessage(fitted[index] as Message)
        if (characters > 0 && cut.length(message) <= characters) continue
        const next = snapshotMessage(cut.shorten(message, characters))
        const gain = before - tokens.countMessage(next)
        if (gain <= 0) continue
        fitted[index] = next
        size -= gain
      }
      if (size <= roomTokens * TARGET_SHARE) break
    }
  }
  return fitted.every((message, index) => message === messages[index]) ? messages : fitted
}

/** The cuts in their order: the least missed first. */
function cutsFor(messages: readonly Message[], verbatim: readonly Message[]): readonly Cut[] {
  const newest = toolTransactions(messages).at(-1)?.start ?? 0
  const text = { length: textLength, shorten: shortenText }
  // Two turns of one role in a row are allowed as they were said, and not with another text.
  const isApart = (index: number) => {
    const role = messages[index]?.role
    return messages[index - 1]?.role !== role && messages[index + 1]?.role !== role
  }
  const stays = ({ content }: Message) => verbatim.some((kept) => equalValues(kept.content, content))
  return [
    { ...text, applies: ({ role }, index) => role === 'tool' && index < newest },
    { ...text, applies: ({ role }) => role === 'tool' },
    { applies: () => true, length: callLength, shorten: shortenCalls },
    { applies: hasReasoning, length: () => 1, shorten: stripReasoning },
    { ...text, applies: ({ role }, index) => role === 'assistant' && isApart(index) },
    {
      ...text,
      applies: (message, index) =>
        message.role === 'user' && isApart(index) && !isSummary(message) && !stays(message),
    },
  ]
}

/**
 * The lengths to try, in characters, down to none. The first is where it is about enough, by the tokens that each message
 * has for its characters, so that long texts are not counted more often than needed.
 */
function lengths(
  found: readonly { readonly message: Message }[],
  cut: Cut,
  excess: number,
  tokens: TokenCounter,
): number[] {
  const sizes = found.map(({ message }) => ({
    characters: cut.length(message),
    tokens: tokens.countMessage(message),
  }))
  const gain = (most: number) =>
    sizes.reduce((sum, size) => sum + size.tokens * Math.max(0, 1 - most / size.characters), 0)
  const tries: number[] = []
  let most = Math.max(0, ...sizes.map(({ characters }) => characters))
  for (; most > LEAST_CHARACTERS; most = Math.floor(most * STEP)) if (gain(most) >= excess) tries.push(most)
  return [...tries, LEAST_CHARACTERS, 0]
}

function textLength(message: Message): number {
  return Math.max(0, ...contentParts(message).map(({ text }) => (typeof text === 'string' ? text.length : 0)))
}

function callLength(message: Message): number {
  return Math.max(0, ...toolCallsOf(message).map((call) => toolCallInput(call).length))
}
