import { equalValues, type Message, type TokenCounter } from '@palimpsest/core'

/** Tokens at the beginning of two requests that are the same: what a provider's cache would hold. */
export function sharedPrefix(
  before: readonly Message[],
  after: readonly Message[],
  tokens: TokenCounter,
): number {
  let shared = 0
  for (const [index, message] of before.entries()) {
    const other = after[index]
    if (other === undefined) return shared
    if (equalValues(message, other)) {
      shared += tokens.countMessage(message)
      continue
    }
    return shared + sharedText(message, other, tokens)
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
