import { snapshotMessage } from '../messages/copy-message.ts'
import { equalValues } from '../messages/equal-values.ts'
import { contentParts, toolCallInput, toolCallsOf } from '../messages/message-text.ts'
import { shortenCalls, shortenText } from '../messages/shorten-message.ts'
import { hasReasoning, stripReasoning } from '../messages/strip-reasoning.ts'
import { isSummary } from '../messages/summary-marker.ts'
import { toolTransactions } from '../messages/tool-transactions.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { countMessages } from './count-messages.ts'

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
