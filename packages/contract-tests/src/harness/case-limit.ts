import { setTimeout } from 'node:timers/promises'
import type { CallLog } from './call-log.ts'

export interface CaseLimit {
  /** How long the case may take, in milliseconds. */
  readonly timeoutMs: number
  readonly log: CallLog
}

/** How long the call that is under way when the time is over is waited for, in milliseconds. */
const LAST_CALL_MS = 5_000

/**
 * Runs a case; fails when its time is over, and says what took it. What the case has begun comes to its end before,
 * so that it does not disturb the next one: its further calls of the engine throw.
 */
export async function withinCaseLimit(
  run: () => Promise<void>,
  { timeoutMs, log }: CaseLimit,
): Promise<void> {
  const over = new AbortController()
  const running = run()
  const timer = setTimeout(timeoutMs, true, { signal: over.signal }).catch(() => false)
  const isLate = await Promise.race([running.then(() => false), timer]).finally(() => over.abort())
  if (!isLate) return
  const calls = log.describe()
  log.close()
  const left = new AbortController()
  const last = setTimeout(LAST_CALL_MS, undefined, { signal: left.signal }).catch(() => {})
  await Promise.race([running.catch(() => {}), last])
  left.abort()
  throw new Error(
    `the case was not over after ${timeoutMs / 1_000} s, which is its limit: ${calls}; a slow engine passes with more time (caseTimeoutMs of the target, --case-timeout of the command)`,
  )
}
