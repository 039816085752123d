import { equalValues, type Message, type TokenCounter } from '@palimpsest/core'
import { showMessage } from './large-results.ts'
import type { ContextWindow } from './window.ts'

/**
 * Shows tool results that are too large in part as soon as they come, where no cache knows them yet: those behind the
 * last answer. The same list when there are none.
 *
 * @param seqs The number of each message, where the host tells origins; else they are found by value.
 */
export function pruneLargeResults(
  messages: readonly Message[],
  seqs: readonly (number | null)[] | undefined,
  { tail }: ContextWindow,
  maxTokens: number,
  tokens: TokenCounter,
): readonly Message[] {
  let pruned: Message[] | undefined
  for (let index = messages.length - 1; messages[index]?.role === 'tool'; index--) {
    const message = messages[index] as Message
    if (tokens.countMessage(message) <= maxTokens) continue
    const stored = tail.findLast((known) =>
      seqs === undefined ? equalValues(known.message, message) : known.seq === seqs[index],
    )
    if (stored === undefined) continue
    pruned ??= [...messages]
    pruned[index] = showMessage(stored, maxTokens)
  }
  return pruned ?? messages
}
