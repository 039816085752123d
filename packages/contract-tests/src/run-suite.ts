import { AssertionError } from 'node:assert'
import { errorText } from '@palimpsest/core'
import type { SuiteCase } from './contract-case.ts'

export type CaseStatus = 'passed' | 'failed' | 'skipped'

export interface CaseResult {
  readonly id: string
  readonly title: string
  readonly status: CaseStatus
  /** Why it failed or was skipped. */
  readonly reason?: string
  /** Notes of the case, such as how many conversations were tried. */
  readonly notes: readonly string[]
  readonly durationMs: number
}

/** A case that is about to run, or the reason why it does not. */
export interface PlannedCase<Case extends SuiteCase<never>> {
  readonly entry: Case
  /** Why it is left out. Undefined when it runs. */
  readonly skip: string | undefined
  /** Runs it in a harness of its own and cleans up. Rejects when the promise is broken. */
  run(): Promise<readonly string[]>
}

/** Runs planned cases one after the other, without any test runner. */
export async function runSuite<Case extends SuiteCase<never>>(
  plan: readonly PlannedCase<Case>[],
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
  if (skip !== undefined) return { id, title, status: 'skipped', reason: skip, notes: [], durationMs: 0 }
  const start = performance.now()
  const durationMs = () => Math.round(performance.now() - start)
  try {
    const notes = await run()
    return { id, title, status: 'passed', notes, durationMs: durationMs() }
  } catch (error) {
    return { id, title, status: 'failed', reason: failureText(error), notes: [], durationMs: durationMs() }
  }
}

/** Frames of a stack that are not the author's: Node, the suite, core, the runner. */
const OURS =
  /node:|contract-tests\/|(?:@palimpsest|packages)\/core\/|fast-check|node_modules\/(?:\.pnpm\/)?(?:@?vitest)/

/** The text of a failure, with the first place in the author's own code when it was thrown there. */
export function failureText(error: unknown): string {
  const text = errorText(error)
  const place = error instanceof AssertionError ? undefined : firstPlace(error)
  if (place === undefined) return text
  // Behind the first line: what follows may be a long value.
  const [first = '', ...rest] = text.split('\n')
  return [`${first} (at ${place})`, ...rest].join('\n')
}

function firstPlace(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const frame = frames.find((line) => !OURS.test(line))
  // A property wraps what its claim threw.
  const place = frame?.replace(/^\s+at (?:[^(]*\()?/, '').replace(/\)$/, '')
  return place !== undefined && /:\d+:\d+$/.test(place) ? place : firstPlace(error.cause)
}
