import type { Repetitions } from './time.ts'

/** Below this share of the usual repetitions nobody wants figures, only to see that there are some. */
const TRIAL = 0.1

/** True for a run whose figures say nothing. `effort`: share of the usual repetitions. */
export const isTrial = (effort: number): boolean => effort < TRIAL

/** Longer conversations are measured seldom: one round of them warms the code as much as many of a short one. */
const LONG = 2000

/** How often each figure is measured: once at least. */
export function repetitionsFor(messages: number, effort: number): Repetitions {
  const isLong = messages > LONG
  const runs = Math.ceil((isLong ? 5 : 30) * effort)
  if (isTrial(effort)) return { runs, warmUp: 0 }
  return isLong ? { runs, warmUp: 1 } : { runs }
}
