/** Assumed time between requests without recorded times, in milliseconds. */
const ASSUMED_STEP = 15_000

/** The start times of a recording's requests. */
export interface RequestClock {
  /**
   * Starts the next request at its recorded time, in milliseconds since the epoch. Undefined adds one step to the
   * previous time.
   */
  start(recordedAt: number | undefined): void
  now(): number
}

/** Requests start one after the other, even if the recording's clock went back. */
export function createRequestClock(): RequestClock {
  let now: number | undefined
  return {
    start(recordedAt) {
      if (now === undefined) now = recordedAt ?? 0
      else now = Math.max(now + 1, recordedAt ?? now + ASSUMED_STEP)
    },
    now: () => now ?? 0,
  }
}
