import type { SessionPauses } from '../../src/cache/cache-state.ts'

const MINUTE = 60_000

/** Long sessions with a pause of so many minutes before each request: the next one is expected to be as long. */
export function sessionsThatPause(minutes: number): SessionPauses[] {
  const longPauses = Array.from({ length: 30 }, () => minutes * MINUTE)
  return Array.from({ length: 40 }, () => ({ requests: 30, longPauses, changes: 0 }))
}
