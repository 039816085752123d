import { createPause, type Message } from '@palimpsest/core'
import type { LcmSession } from '../store/lcm-session.ts'

/** Messages that are compared at once. */
const PAGE = 250

/**
 * The length of the beginning of a list whose messages are those of the numbers at the same places, to the last byte. What
 * stands before index `from` is taken as the same.
 */
export async function storedBeginning(
  session: LcmSession,
  seqs: readonly number[],
  messages: readonly Message[],
  from = 0,
): Promise<number> {
  const end = Math.min(seqs.length, messages.length)
  const pause = createPause()
  for (let first = from; first < end; first += PAGE) {
    const last = Math.min(first + PAGE, end)
    const page = await session.compare(seqs.slice(first, last), messages.slice(first, last))
    const differs = page.indexOf(false)
    if (differs !== -1) return first + differs
    await pause()
  }
  return end
}
