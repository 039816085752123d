import { isDeepFrozen, type Message, type TokenCounter } from '@palimpsest/core'

/** One token per four characters of JSON, the same everywhere. */
export const fixedTokenCounter: TokenCounter = {
  countText: (text) => Math.ceil(text.length / 4),
  countMessage: (message) => Math.ceil(lengthOf(message) / 4),
  countTools: (tools) => (tools.length === 0 ? 0 : Math.ceil(jsonLength(tools) / 4)),
}

export function scaledTokenCounter(times: number): TokenCounter {
  const scaled = (tokens: number) => Math.ceil(tokens * times)
  return {
    countText: (text) => scaled(fixedTokenCounter.countText(text)),
    countMessage: (message) => scaled(fixedTokenCounter.countMessage(message)),
    countTools: (tools) => scaled(fixedTokenCounter.countTools(tools)),
  }
}

const lengths = new WeakMap<Message, number>()

function lengthOf(message: Message): number {
  const length = lengths.get(message) ?? jsonLength(message)
  if (isDeepFrozen(message)) lengths.set(message, length)
  return length
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
