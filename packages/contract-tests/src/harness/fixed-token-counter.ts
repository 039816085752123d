import { isDeepFrozen, type Message, type TokenCounter } from '@palimpsest/core'

/** One token for four characters of JSON: not true of any model, and the same everywhere and for ever. */
export const fixedTokenCounter: TokenCounter = {
  countText: (text) => Math.ceil(text.length / 4),
  countMessage: (message) => Math.ceil(lengthOf(message) / 4),
  countTools: (tools) => (tools.length === 0 ? 0 : Math.ceil(jsonLength(tools) / 4)),
}

/** The same with so many times as many tokens: a conversation fills a large window without its texts. */
export function scaledTokenCounter(times: number): TokenCounter {
  const scaled = (tokens: number) => Math.ceil(tokens * times)
  return {
    countText: (text) => scaled(fixedTokenCounter.countText(text)),
    countMessage: (message) => scaled(fixedTokenCounter.countMessage(message)),
    countTools: (tools) => scaled(fixedTokenCounter.countTools(tools)),
  }
}

const lengths = new WeakMap<Message, number>()

/** A message that is frozen in depth is written out once in its life. */
function lengthOf(message: Message): number {
  const length = lengths.get(message) ?? jsonLength(message)
  if (isDeepFrozen(message)) lengths.set(message, length)
  return length
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
