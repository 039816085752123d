import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { cutMiddle } from './tool-result-stub.ts'

/** Characters that one user message may take; a longer one keeps its beginning and its end. */
const MESSAGE_CHARACTERS = 4_000

/**
 * The user's own words out of the messages that a summary replaces, after those that earlier summaries kept:
 * the newest that fit, oldest first. What does not fit is in the summary's prose.
 */
export function keepUserMessages(
  earlier: readonly string[],
  replaced: readonly Message[],
  maxTokens: number,
  tokens: TokenCounter,
): string[] {
  const texts = replaced
    .filter((message) => message.role === 'user')
    .map((message) => messageText(message).trim())
  const all = [
    ...earlier,
    ...texts.filter((text) => text !== '').map((text) => cutMiddle(text, MESSAGE_CHARACTERS)),
  ]
  const kept: string[] = []
  let sum = 0
  for (const text of [...new Set(all)].reverse()) {
    // Quoting adds about a token a line.
    const size = tokens.countText(text) + text.split('\n').length + 1
    // One long paste must not cost the short messages before it.
    if (sum + size > maxTokens) continue
    sum += size
    kept.push(text)
  }
  return kept.reverse()
}
