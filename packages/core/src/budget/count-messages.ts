import { isSound } from '../laws/check-sequence.ts'
import { atOnce, type Sliced } from '../session/pause.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'

/** Sizes of lists that nothing can change, by the counter that was asked last: a history is asked for several times. */
const sizes = new WeakMap<readonly Message[], { readonly tokens: TokenCounter; readonly size: number }>()

/** Messages that are counted before anything else has a turn: about a millisecond, of those whose tokens are known. */
const SLICE = 1_000

export function countMessages(tokens: TokenCounter, messages: readonly Message[]): number {
  return atOnce(countMessagesSliced(tokens, messages))
}

/** `countMessages`, in slices. */
export function* countMessagesSliced(tokens: TokenCounter, messages: readonly Message[]): Sliced<number> {
  const known = sizes.get(messages)
  if (known?.tokens === tokens) return known.size
  let size = 0
  for (const [index, message] of messages.entries()) {
    if (index % SLICE === SLICE - 1) yield
    size += tokens.countMessage(message)
  }
  if (isSound(messages)) sizes.set(messages, { tokens, size })
  return size
}
