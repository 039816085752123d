import type { Clock } from '@palimpsest/core'

/** A clock that stands still while the one given does not say what time it is. */
export function createSteadyClock(clock: Clock): Clock {
  let latest = 0
  return {
    now() {
      const now = clock.now()
      if (Number.isFinite(now)) latest = now
      return latest
    },
  }
}
