/** Between requests for which a recording has no times: an agent at work. In milliseconds. */
const ASSUMED_STEP = 15_000

/** When the requests of a recording started. */
export interface RequestClock {
  /**
   * The next request starts: when what it answers was recorded, in milliseconds since the epoch. Undefined: a step
   * after the one before.
   */
  start(recordedAt: number | undefined): void
  now(): number
}

/** Requests start one after the other, whatever the recording's clock did. */
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
