import type { SeqRange } from '@palimpsest/lcm'

/**
 * The place in the transcript of a message of an lcm store. A store numbers everything that it was ever told; what the host
 * took back keeps its number and has no place any more. For such a message: where it stood, if it was taken back at once.
 *
 * @param replaced those runs, as the head of a session has them.
 */
export function transcriptPlace(replaced: readonly SeqRange[], seq: number): number {
  let gone = 0
  for (const { first, last } of replaced) {
    if (last >= seq) break
    gone += last - first + 1
  }
  return seq - gone
}
