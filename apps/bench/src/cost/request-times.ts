import type { Message } from '@palimpsest/core'
import { createRequestClock } from '@palimpsest/prompt-caching'
import type { TranscriptEntry } from '@palimpsest/transcripts'

/** Milliseconds between an agent's requests, and until a user has read an answer and replied. */
const STEP = 20_000
const USER_TURN = 60_000

const stepAfter = (message: Message | undefined): number => (message?.role === 'user' ? USER_TURN : STEP)

export function requestTimes(entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> {
  const clock = createRequestClock()
  const times = new Map<number, number>()
  // Steps start here until the first known time.
  clock.start(entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? 0)
  for (const [index, { message }] of entries.entries()) {
    const before = entries[index - 1]
    if (message.role !== 'assistant' || before === undefined) continue
    clock.start(before.timestamp ?? clock.now() + stepAfter(before.message))
    times.set(index, clock.now())
  }
  return times
}
