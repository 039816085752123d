import type { SeqRange } from '@palimpsest/core'

/** The place of a message in the conversation: replaced ones have none. For such a one, where it was if it was replaced at once. */
export function placeOf(replaced: readonly SeqRange[], seq: number): number {
  let gone = 0
  for (const { first, last } of replaced) {
    if (last >= seq) break
    gone += last - first + 1
  }
  return seq - gone
}
