import { createRequestClock } from '@palimpsest/prompt-caching'
import type { TranscriptEntry } from '@palimpsest/transcripts'

/** Whether the user goes away now and then while a session runs. */
export type Pacing = 'steady' | 'with pauses'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Between two requests of an agent at work, and until a user has read an answer and written the next message. */
const STEP = 20 * SECOND
const USER_TURN = MINUTE
const SHORT_PAUSE = 8 * MINUTE
const LONG_PAUSE = 40 * MINUTE
/** User's turns from one pause to the next, and from one long pause to the next. */
const TURNS_TO_PAUSE = 4
const TURNS_TO_LONG_PAUSE = 12

export const PAUSES_TEXT = `every ${TURNS_TO_PAUSE}th message of the user comes after 8 minutes, every ${TURNS_TO_LONG_PAUSE}th after 40`

export interface RequestPace {
  /** Milliseconds until the next request, which the user begins or a tool's result does. */
  next(isUserTurn: boolean): number
}

export function createPace(pacing: Pacing): RequestPace {
  let turns = 0
  return {
    next(isUserTurn) {
      if (!isUserTurn) return STEP
      turns++
      if (pacing === 'steady') return USER_TURN
      if (turns % TURNS_TO_LONG_PAUSE === 0) return LONG_PAUSE
      return turns % TURNS_TO_PAUSE === 0 ? SHORT_PAUSE : USER_TURN
    },
  }
}

/** The pauses of the worked example: before its requests 14, 27 and 41. */
const EXAMPLE_PAUSES: Readonly<Record<number, number>> = { 13: SHORT_PAUSE, 26: SHORT_PAUSE, 40: LONG_PAUSE }

export function exampleTimes(pacing: Pacing, requests: number): number[] {
  let at = 0
  return Array.from({ length: requests }, (_, index) => {
    at += (pacing === 'with pauses' && EXAMPLE_PAUSES[index]) || STEP
    return at
  })
}

/** When a recorded session's requests started, by message, in milliseconds. Without a recorded time: a steady step later. */
export function requestTimes(entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> {
  const clock = createRequestClock()
  const pace = createPace('steady')
  const times = new Map<number, number>()
  // Steps are taken from here until the first time is known.
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
