/** Time is passed in, so that tests and imports are repeatable. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export function fixedClock(iso: string): Clock {
  return { now: () => new Date(iso) }
}
