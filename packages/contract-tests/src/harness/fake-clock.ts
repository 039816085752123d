import type { Clock } from '@palimpsest/core'

/** A clock that stands still until a case moves it. */
export interface FakeClock extends Clock {
  /** Moves the time, in milliseconds. */
  advance(milliseconds: number): void
}

/** Where every fake clock starts: 1 January 2026, in milliseconds since the epoch. */
const START_MS = Date.UTC(2026, 0, 1)

export function createFakeClock(): FakeClock {
  let now = START_MS
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds
    },
  }
}
