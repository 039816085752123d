import { countMessages } from '../budget/count-tokens.ts'
import { checkMessage } from '../invariants/check-sequence.ts'
import { findLastUser } from '../messages/instructions.ts'
import { equalValues, snapshotMessage } from '../messages/json-value.ts'
import { contentParts, toolCallInput, toolCallsOf, toolTransactions } from '../messages/message-parts.ts'
import { hasReasoning, stripReasoning } from '../messages/reasoning.ts'
import { shortenCalls, shortenText } from '../messages/shorten-message.ts'
import { isSummary } from '../messages/summary.ts'
import type { Message, TokenCounter } from '../spec/v1/index.ts'

interface WindowFitCall {
  readonly projection: readonly Message[]
  readonly transcript: readonly Message[]
  readonly fits: boolean
  readonly roomTokens: number
  readonly evenPartly: boolean
}

/**
 * Cuts the projection to the window where the engine left it too large. A text is cut the same way in every later
 * request, so that the provider's cache hits. The projection itself stays whole, so that an engine can summarise the
 * full text.
 */
export function createWindowFit(tokens: TokenCounter, isBound: () => boolean) {
  let shown = new WeakMap<Message, Message>()
  let isCutting = false
  return {
    fit(call: WindowFitCall): { readonly messages: readonly Message[]; readonly cut: readonly number[] } {
      const { projection: whole, transcript, fits, roomTokens, evenPartly } = call
      if (fits && !isCutting) return { messages: whole, cut: [] }
      const cutBefore = whole.map((message) => shown.get(message) ?? message)
      const before = cutBefore.some((message, index) => message !== whole[index]) ? cutBefore : whole
      const uncut = { messages: Object.freeze(before), cut: [] }
      if (countMessages(tokens, before) <= roomTokens) return uncut
      // Too many messages to fit even without text; cutting would take minutes for nothing.
      const least = whole.length * tokens.countMessage({ role: 'assistant', content: '' })
      if (least > roomTokens && !evenPartly) return uncut
      const verbatim = [transcript.findLast(isWritten), whole[findLastUser(whole)]]
      const cuts = cutsFor(before, isBound(), ({ content }) =>
        verbatim.some((kept) => kept !== undefined && equalValues(kept.content, content)),
      )
      const fitted = fitMessages(before, cuts, roomTokens, tokens)
      const first = fitted.findIndex((message, index) => message !== before[index])
      if (first === -1 || !(evenPartly || countMessages(tokens, fitted) <= roomTokens)) return uncut
      isCutting = true
      const messages = fitted.map((message, index) =>
        index < first || !isBound() ? message : snapshotMessage(stripReasoning(message)),
      )
      for (const [index, message] of whole.entries()) {
        const next = messages[index]
        if (next !== undefined && next !== message) shown.set(message, next)
      }
      const cut = [...whole.keys()].filter((index) => fitted[index] !== before[index])
      return { messages: Object.freeze(messages), cut }
    },
    clear(): void {
      shown = new WeakMap()
      isCutting = false
    },
  }
}

function isWritten(message: Message): boolean {
  return message.role === 'user' && !isSummary(message) && checkMessage(message).length === 0
}

/** A cut leaves this share of the room, so that the next messages do not need another one. */
const TARGET_SHARE = 0.85
const STEP = 0.85
const LEAST_CHARACTERS = 200

interface Cut {
  applies(message: Message, index: number): boolean
  length(message: Message): number
  shorten(message: Message, characters: number): Message
}

/**
 * The cuts in order, least important first: answered tool results, newer ones, arguments of calls, reasoning, the
 * assistant's texts, earlier texts of the user. No message is removed; the system prompt and summaries stay.
 */
function cutsFor(
  messages: readonly Message[],
  isBound: boolean,
  staysVerbatim: (message: Message) => boolean,
): readonly Cut[] {
  const newest = toolTransactions(messages).at(-1)?.start ?? 0
  const text = { length: textLength, shorten: shortenText }
  const isApart = (index: number, role: string) =>
    messages[index]?.role === role && messages[index - 1]?.role !== role && messages[index + 1]?.role !== role
  const reasoning: Cut = { applies: hasReasoning, length: () => 1, shorten: stripReasoning }
  return [
    { ...text, applies: ({ role }, index) => role === 'tool' && index < newest },
    { ...text, applies: ({ role }) => role === 'tool' },
    { applies: () => true, length: callLength, shorten: shortenCalls },
    ...(isBound ? [reasoning] : []),
    { ...text, applies: (_, index) => isApart(index, 'assistant') },
    {
      ...text,
      applies: (message, index) => isApart(index, 'user') && !isSummary(message) && !staysVerbatim(message),
    },
    // Only a provider that does not bind reasoning can do without it.
    ...(isBound ? [] : [reasoning]),
  ]
}

function fitMessages(
  messages: readonly Message[],
  cuts: readonly Cut[],
  roomTokens: number,
  tokens: TokenCounter,
): readonly Message[] {
  const fitted = [...messages]
  let size = countMessages(tokens, fitted)
  for (const cut of cuts) {
    if (size <= roomTokens) break
    const found = fitted.flatMap((message, index) => {
      const characters = cut.applies(message, index) ? cut.length(message) : 0
      return characters > 0 ? [{ index, message, characters, tokens: tokens.countMessage(message) }] : []
    })
    // Estimates the gain from each message's tokens per character, to avoid counting long texts.
    const gain = (most: number) =>
      found.reduce((sum, one) => sum + one.tokens * Math.max(0, 1 - most / one.characters), 0)
    let most = Math.max(0, ...found.map(({ characters }) => characters))
    while (size > roomTokens * TARGET_SHARE) {
      const excess = size - roomTokens * TARGET_SHARE
      while (most > LEAST_CHARACTERS && gain(most) < excess) most = Math.floor(most * STEP)
      const kept = most > LEAST_CHARACTERS ? most : most === 0 ? 0 : LEAST_CHARACTERS
      for (const { index, message, characters } of found) {
        if (kept > 0 && characters <= kept) continue
        const next = snapshotMessage(cut.shorten(message, kept))
        const saved = tokens.countMessage(fitted[index] as Message) - tokens.countMessage(next)
        if (saved <= 0) continue
        fitted[index] = next
        size -= saved
      }
      if (kept === 0) break
      most = kept > LEAST_CHARACTERS ? Math.floor(kept * STEP) : 0
    }
  }
  return fitted
}

function textLength(message: Message): number {
  return Math.max(0, ...contentParts(message).map(({ text }) => (typeof text === 'string' ? text.length : 0)))
}

function callLength(message: Message): number {
  return Math.max(0, ...toolCallsOf(message).map((call) => toolCallInput(call).length))
}
