import type { Clock } from '@palimpsest/core'

/** A clock that only a case advances. */
export interface FakeClock extends Clock {
  /** Advances the time, in milliseconds. */
  advance(milliseconds: number): void
}

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
