import { AssertionError } from 'node:assert'
import { errorText } from '@palimpsest/core'

/** A case as data: any runner can run it, and a table can list it. */
export interface SuiteCase<Context> {
  /** Stable. Ids are never reused. */
  readonly id: string
  /** The promise, as a sentence without a full stop. */
  readonly title: string
  /** Rejects with the finding if the promise is broken. */
  run(context: Context): Promise<void>
}

export interface CaseResult {
  readonly id: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  /** The reason of a failure or skip. */
  readonly reason?: string
  readonly durationMs: number
}

/** A case to run, or the reason for skipping it. */
export interface PlannedCase<Case extends SuiteCase<never>> {
  readonly entry: Case
  /** The reason for skipping it; undefined if it runs. */
  readonly skip: string | undefined
  /** Runs it in its own harness and cleans up. Rejects if the promise is broken. */
  run(): Promise<void>
}

/** Runs planned cases in sequence, without a test runner. */
export async function runSuite(
  plan: readonly PlannedCase<SuiteCase<never>>[],
  onResult: (result: CaseResult) => void = () => {},
): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const planned of plan) {
    const result = await runCase(planned)
    results.push(result)
    onResult(result)
  }
  return results
}

async function runCase({ entry, skip, run }: PlannedCase<SuiteCase<never>>): Promise<CaseResult> {
  const { id, title } = entry
  if (skip !== undefined) return { id, title, status: 'skipped', reason: skip, durationMs: 0 }
  const start = performance.now()
  const durationMs = () => Math.round(performance.now() - start)
  try {
    await run()
    return { id, title, status: 'passed', durationMs: durationMs() }
  } catch (error) {
    return { id, title, status: 'failed', reason: failureText(error), durationMs: durationMs() }
  }
}

/** Stack frames of Node, the suite, core and the runner, not the author's. */
const OURS =
  /node:|contract-tests\/|(?:@palimpsest|packages)\/core\/|fast-check|node_modules\/(?:\.pnpm\/)?(?:@?vitest)/

/** A failure's text, with the first location in the author's code. */
export function failureText(error: unknown): string {
  const text = errorText(error)
  const location = error instanceof AssertionError ? undefined : firstLocation(error)
  if (location === undefined) return text
  // After the first line, because the rest may be a long value.
  const [first = '', ...rest] = text.split('\n')
  return [`${first} (at ${location})`, ...rest].join('\n')
}

function firstLocation(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const frame = frames.find((line) => !OURS.test(line))
  const location = frame?.replace(/^\s+at (?:[^(]*\()?/, '').replace(/\)$/, '')
  // A property wraps its claim's error.
  return location !== undefined && /:\d+:\d+$/.test(location) ? location : firstLocation(error.cause)
}
