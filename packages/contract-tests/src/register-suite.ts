import type { SuiteCase } from './contract-case.ts'
import type { PlannedCase } from './run-suite.ts'

/** The parts of a test runner that the suite needs. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  test(name: string, body: () => Promise<void>): void
  /** A test that is reported as skipped. */
  skip(name: string): void
}

/** Makes a test of each case. Skipped ones carry the reason in their title; notes are printed. */
export function registerSuite<Case extends SuiteCase<never>>(
  name: string,
  plan: readonly PlannedCase<Case>[],
  runner: TestRunner,
): void {
  runner.describe(name, () => {
    for (const { entry, skip, run } of plan) {
      const title = `${entry.id} ${entry.title}`
      if (skip !== undefined) runner.skip(`${title} (skipped: ${skip})`)
      else
        runner.test(title, async () => {
          for (const note of await run()) process.stdout.write(`${name} ${entry.id}: ${note}\n`)
        })
    }
    for (const line of skippedByReason(plan)) process.stdout.write(`${name}: ${line}\n`)
  })
}

/** One line for each reason, with the cases that it keeps from running. */
export function skippedByReason(plan: readonly PlannedCase<SuiteCase<never>>[]): string[] {
  const byReason = new Map<string, string[]>()
  for (const { entry, skip } of plan) {
    if (skip !== undefined) byReason.set(skip, [...(byReason.get(skip) ?? []), entry.id])
  }
  return [...byReason].map(([reason, ids]) => `skipped ${ids.join(' ')}: ${reason}`)
}
