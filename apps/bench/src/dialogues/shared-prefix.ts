import { equalValues, type Message, type TokenCounter } from '@palimpsest/core'

/** A request, with the tokens of each of its messages. */
export interface CountedRequest {
  readonly messages: readonly Message[]
  readonly sizes: readonly number[]
}

/** Tokens at the beginning of two requests that are the same: what a provider's cache would hold. */
export function sharedPrefix(before: CountedRequest, after: CountedRequest, tokens: TokenCounter): number {
  let shared = 0
  for (const [index, message] of before.messages.entries()) {
    const other = after.messages[index]
    if (other === undefined) return shared
    if (!equalValues(message, other)) return shared + sharedText(message, other, tokens)
    shared += before.sizes[index] ?? 0
  }
  return shared
}

function sharedText(before: Message, after: Message, tokens: TokenCounter): number {
  const { content: a } = before
  const { content: b } = after
  if (before.role !== after.role || typeof a !== 'string' || typeof b !== 'string') return 0
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length === 0 ? 0 : tokens.countText(a.slice(0, length))
}
