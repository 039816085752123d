import type { Run } from './walk-messages.ts'

/** How a tool call ended, as far as its result says. */
export type RunStatus = 'ok' | 'failed' | 'no result'

/** Lines that announce an error without saying which. */
const SAYS_NOTHING =
  /^\W*(?:(?:command |process )?exit(?:ed)?\b.{0,24}\d|traceback .{0,40}|error|failed)\W*$/i

/** Whether a run succeeded, by the strongest evidence that its result holds. */
export function runStatus({ call, outcome }: Run): RunStatus {
  if (outcome === undefined) return 'no result'
  if (call.kind !== 'shell') return outcome.refused ? 'failed' : 'ok'
  if (call.asks)
    return runError({ outcome }) !== '' && outcome.failed !== false && outcome.refused ? 'failed' : 'ok'
  if (outcome.refused || outcome.failed === true) return 'failed'
  // A pipe hides the exit code of what failed in front of it: the error lines are all that is left.
  return outcome.failed === undefined && outcome.errors.length > 0 ? 'failed' : 'ok'
}

/** The error line of a run that says most, or an empty string. */
export function runError({ outcome }: Pick<Run, 'outcome'>): string {
  const lines = outcome?.errors ?? []
  return lines.find((line) => !SAYS_NOTHING.test(line)) ?? ''
}

/** What to say about a failed run: its error line, its test summary or its exit line. */
export function failureText(run: Run): string {
  const detail = run.outcome?.detail ?? ''
  return runError(run) || (SAYS_NOTHING.test(detail) ? '' : detail)
}
