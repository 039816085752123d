import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { extractIdentifiers, ownWords } from '@palimpsest/extractive'
import { cutMiddle } from './tool-result-stub.ts'

/** Characters that one user message may take; a longer one keeps its beginning and its end. */
const MESSAGE_CHARACTERS = 4_000
/** From so many characters on, fenced code and what hosts inserted is left out: it was pasted, not said. */
const PASTE_CHARACTERS = 400

/**
 * The user's own words out of the messages that a summary replaces, after those that earlier summaries kept, oldest
 * first: the newest that name something and fit, then the newest of the rest. What does not fit is in the summary's
 * prose.
 */
export function keepUserMessages(
  earlier: readonly string[],
  replaced: readonly Message[],
  maxTokens: number,
  tokens: TokenCounter,
): string[] {
  const texts = replaced.filter(({ role }) => role === 'user').map(saidIn)
  const newestFirst = [...new Set([...earlier, ...texts.filter((text) => text !== '')])].reverse()
  const telling = new Map(newestFirst.map((text) => [text, isTelling(text)]))
  const byWorth = newestFirst.toSorted((a, b) => Number(telling.get(b)) - Number(telling.get(a)))
  const kept = new Set<string>()
  let sum = 0
  for (const text of byWorth) {
    // Quoting adds about a token a line.
    const size = tokens.countText(text) + text.split('\n').length + 1
    // One long paste must not cost the short messages before it.
    if (sum + size > maxTokens) continue
    sum += size
    kept.add(text)
  }
  return newestFirst.filter((text) => kept.has(text)).reverse()
}

/** What stands of a message in the block; empty for one that is nothing but a paste. */
export function saidIn(message: Message): string {
  const text = messageText(message).trim()
  if (text.length <= PASTE_CHARACTERS) return text
  return cutMiddle(ownWords(text), MESSAGE_CHARACTERS)
}

/** Small talk is told by the summary, if at all. */
function isTelling(text: string): boolean {
  return /\d/.test(text) || extractIdentifiers(text).length > 0
}
