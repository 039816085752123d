import { setTimeout } from 'node:timers/promises'

/** Waits until something holds, and says whether it did within so many milliseconds. Default: a second. */
export async function waitUntil(holds: () => boolean, limitMs = 1_000): Promise<boolean> {
  const end = performance.now() + limitMs
  while (!holds()) {
    if (performance.now() > end) return false
    await setTimeout(1)
  }
  return true
}
