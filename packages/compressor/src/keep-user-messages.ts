import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { analyzeMessage, ownWords } from '@palimpsest/extractive'
import { cutMiddle } from './tool-result-stub.ts'

/** Characters that one user message may take; a longer one keeps its beginning and its end. */
const MESSAGE_CHARACTERS = 4_000
/** From so many characters on, fenced code and what hosts inserted is left out: it was pasted, not said. */
const PASTE_CHARACTERS = 400

/** The newest messages, which come first whatever they say. */
const NEWEST = 2

/**
 * The user's own words out of the messages that a summary replaces, after those that earlier summaries kept, oldest
 * first. Of what fits: the two newest, then the newest that rule, choose or name something, then the newest of the rest.
 * What does not fit is in the summary's prose.
 */
export function keepUserMessages(
  earlier: readonly string[],
  replaced: readonly Message[],
  maxTokens: number,
  tokens: TokenCounter,
): string[] {
  const said = new Map<string, boolean>()
  const put = (text: string, telling: () => boolean): void => {
    if (text !== '' && !said.has(text)) said.set(text, telling())
  }
  for (const text of earlier) put(text, () => isTelling({ role: 'user', content: text }))
  for (const message of replaced) if (message.role === 'user') put(saidIn(message), () => isTelling(message))
  const newestFirst = [...said.keys()].reverse()
  const isFirst = (text: string, index: number): boolean => index < NEWEST || said.get(text) === true
  const byWorth = [
    ...newestFirst.filter(isFirst),
    ...newestFirst.filter((text, index) => !isFirst(text, index)),
  ]
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

/** What stands of a message in the block; of one that is nothing but a paste, its ends. */
function saidIn(message: Message): string {
  const text = messageText(message).trim()
  if (text.length <= PASTE_CHARACTERS) return text
  const said = ownWords(text)
  return said === '' ? cutMiddle(text, PASTE_CHARACTERS) : cutMiddle(said, MESSAGE_CHARACTERS)
}

/** Small talk is told by the summary, if at all, and so is a paste without a word to it. */
function isTelling(message: Message): boolean {
  const { user, mentions } = analyzeMessage(message)
  if ([user?.constraints, user?.decisions, user?.values, user?.errors].some((found) => found?.length))
    return true
  // Of a paste, the names are not the user's.
  return (
    messageText(message).length <= PASTE_CHARACTERS &&
    mentions.identifiers.some(({ kind }) => kind !== 'number')
  )
}
