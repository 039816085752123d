import { createRequestClock } from '@palimpsest/prompt-caching'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { createPace } from './pacing.ts'

/**
 * When the requests of a recorded session started, one for each of the assistant's messages but one that begins the
 * session; in milliseconds. A request starts when what it answers was recorded; where the recording does not say when
 * that was, a steady step after the request before.
 */
export function requestTimes(entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> {
  const clock = createRequestClock()
  const pace = createPace('steady')
  const times = new Map<number, number>()
  // Steps are taken from here until the first time is known: nobody was away before it.
  clock.start(entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? 0)
  for (const [index, { message }] of entries.entries()) {
    const before = entries[index - 1]
    if (message.role !== 'assistant' || before === undefined) continue
    const step = pace.next(before.message.role === 'user')
    clock.start(before.timestamp ?? clock.now() + step)
    times.set(index, clock.now())
  }
  return times
}
