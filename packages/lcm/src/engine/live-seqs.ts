import { previousLive } from '../history/replaced-ranges.ts'
import type { ContextWindow } from './window.ts'

/** The numbers of all messages of a session that were not replaced, in order. */
export function liveSeqs({ nextSeq, replaced }: Pick<ContextWindow, 'nextSeq' | 'replaced'>): number[] {
  const seqs: number[] = []
  let seq = 0
  for (const { first, last } of [...replaced, { first: nextSeq, last: nextSeq }]) {
    while (seq < first) seqs.push(seq++)
    seq = last + 1
  }
  return seqs
}

/** The last of them; -1 when there is none. */
export function lastLive({ nextSeq, replaced }: Pick<ContextWindow, 'nextSeq' | 'replaced'>): number {
  return previousLive(replaced, nextSeq - 1)
}
