import type { Clock } from '@palimpsest/core'

/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600_000

/** A clock that moves a millisecond a reading, so that runs are the same. */
export function fixedClock(): Clock {
  let now = START
  return { now: () => now++ }
}
