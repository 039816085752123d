import { type Message, messageTokens, type TokenCounter, toolTokens } from '@palimpsest/core'
import { createCalibration } from './calibration.ts'
import { countText as countTextOnce } from './count-text.ts'

/**
 * Counts tokens with the `o200k_base` tokenizer. Every message is counted once in its life: a frozen message
 * is remembered by identity, every other by its texts. Images and media have a flat rate.
 */
export function createTokenCounter(): TokenCounter {
  const byIdentity = new WeakMap<object, number>()
  const countText = memoizeByText(countTextOnce)

  return {
    countText,
    countMessage(message: Message) {
      const known = byIdentity.get(message)
      if (known !== undefined) return known
      const count = messageTokens(message, countText)
      // A message that can change must be looked at again; its unchanged texts are found by content.
      if (Object.isFrozen(message)) byIdentity.set(message, count)
      return count
    },
    remember(message, tokens) {
      if (Object.isFrozen(message) && !byIdentity.has(message)) byIdentity.set(message, tokens)
    },
    countTools: (tools) => toolTokens(tools, countText),
    calibration: createCalibration(),
  }
}

/** Characters of text that a memo may keep: a window of half a million tokens. Frozen messages need no memo. */
const MAX_CHARACTERS = 2_000_000
/** The memory of an entry beside its text, in characters: a million short texts are not small. */
const ENTRY_CHARACTERS = 100

/**
 * Remembers a number for each text, up to a bound; the texts that were not used for the longest time go first.
 */
export function memoizeByText(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  let characters = 0

  /** A quarter at once: each iterator first walks over the places that texts left when they were used again. */
  const forgetOldest = (): void => {
    for (const oldest of known.keys()) {
      known.delete(oldest)
      characters -= oldest.length + ENTRY_CHARACTERS
      if (characters <= MAX_CHARACTERS * 0.75) return
    }
  }

  return (text) => {
    const found = known.get(text)
    if (found !== undefined) {
      known.delete(text)
      known.set(text, found)
      return found
    }
    const value = compute(text)
    known.set(text, value)
    characters += text.length + ENTRY_CHARACTERS
    if (characters > MAX_CHARACTERS) forgetOldest()
    return value
  }
}
