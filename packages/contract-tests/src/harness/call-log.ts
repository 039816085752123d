import { setTimeout } from 'node:timers/promises'

interface Calls {
  times: number
  milliseconds: number
  underWay: number
}

/** Names of members that are told. */
const MOST_NAMES = 3

export type CallLog = ReturnType<typeof createCallLog>

/** Notes the calls of a case's engines, with their number and time. */
export function createCallLog() {
  const log = new Map<string, Calls>()
  let isOpen = true
  return {
    /** Notes that a call begins. Returns what to call when it is over. */
    begin(call: string): () => void {
      const calls = log.get(call) ?? { times: 0, milliseconds: 0, underWay: 0 }
      log.set(call, calls)
      calls.underWay++
      const start = performance.now()
      return () => {
        calls.underWay--
        calls.times++
        calls.milliseconds += performance.now() - start
      }
    },
    /** The calls that took most of the time, for a person. */
    describe(): string {
      const told = [...log]
        .sort(([, one], [, other]) => other.underWay - one.underWay || other.milliseconds - one.milliseconds)
        .slice(0, MOST_NAMES)
        .map(([call, { times, milliseconds, underWay }]) =>
          [
            ...(times > 0
              ? [
                  `${call} took ${Math.round(milliseconds / times)} ms ${times === 1 ? 'once' : `${times} times`}`,
                ]
              : []),
            ...(underWay > 0 ? [`${call} was under way`] : []),
          ].join(' and '),
        )
      return told.join(', ') || 'the engine was not called'
    },
    /** From now on calls throw: the case is over, whatever it still does. */
    close(): void {
      isOpen = false
    },
    /** @throws Error when the case is over. */
    assertOpen(): void {
      if (!isOpen) throw new Error('the time of the case is over')
    },
  }
}

interface CaseLimit {
  /** The time limit of the case, in milliseconds. */
  readonly timeoutMs: number
  readonly log: CallLog
}

/** The grace for the call that is under way when the time is over, in milliseconds. */
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
