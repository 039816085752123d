import { AssertionError } from 'node:assert'
import { errorText } from '@palimpsest/core'

/** One promise of a contract, as data: any runner can run it, and a table can list it. */
export interface SuiteCase<Context> {
  /** Stable. Ids are never given to another case. */
  readonly id: string
  /** The promise, as a sentence without its full stop. */
  readonly title: string
  /** Rejects with what was found when the promise is broken. */
  run(context: Context): Promise<void>
}

export interface CaseResult {
  readonly id: string
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly reason?: string
  readonly durationMs: number
}

/** A case that is about to run, or the reason why it does not. */
export interface PlannedCase<Case extends SuiteCase<never>> {
  readonly entry: Case
  /** Why it is left out. Undefined when it runs. */
  readonly skip: string | undefined
  /** Runs it in a harness of its own and cleans up. Rejects when the promise is broken. */
  run(): Promise<void>
}

/** Runs planned cases one after the other, without any test runner. */
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

/** Frames of a stack that are not the author's: Node, the suite, core, the runner. */
const OURS =
  /node:|contract-tests\/|(?:@palimpsest|packages)\/core\/|fast-check|node_modules\/(?:\.pnpm\/)?(?:@?vitest)/

/** The text of a failure, with the first location in the author's own code when it was thrown there. */
export function failureText(error: unknown): string {
  const text = errorText(error)
  const location = error instanceof AssertionError ? undefined : firstLocation(error)
  if (location === undefined) return text
  // After the first line: what follows may be a long value.
  const [first = '', ...rest] = text.split('\n')
  return [`${first} (at ${location})`, ...rest].join('\n')
}

function firstLocation(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const frame = frames.find((line) => !OURS.test(line))
  const location = frame?.replace(/^\s+at (?:[^(]*\()?/, '').replace(/\)$/, '')
  // A property wraps what its claim threw.
  return location !== undefined && /:\d+:\d+$/.test(location) ? location : firstLocation(error.cause)
}
