import { type Message, messageTokens, type TokenCounter, toolTokens } from '@palimpsest/core'
import { createCalibration } from './calibration.ts'
import { countText as countTextOnce } from './count-text.ts'
import { memoizeByText } from './text-memo.ts'

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
    countTools: (tools) => toolTokens(tools, countText),
    calibration: createCalibration(),
  }
}
