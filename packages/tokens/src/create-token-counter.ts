import { type Message, messageTokens, type TokenCounter, toolTokens } from '@palimpsest/core'
import { createCalibration } from './calibration.ts'
import { countText as countTextOnce } from './count-text.ts'

/**
 * Counts tokens with the `o200k_base` tokenizer. Each message is counted once: a frozen one is cached by identity,
 * others by their texts. Images and media have flat rates.
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

/** Maximum characters of cached texts: a window of half a million tokens. Frozen messages need no cache. */
const MAX_CHARACTERS = 2_000_000
const ENTRY_CHARACTERS = 100

export function memoizeByText(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  let characters = 0

  /** Forgets a quarter at once, because each iterator first skips the places of texts that were used again. */
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
