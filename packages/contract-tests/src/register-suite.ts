import type { PlannedCase, SuiteCase } from './run-suite.ts'

/** The parts of a test runner that the suite needs. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  test(name: string, body: () => Promise<void>): void
  /** A test that is reported as skipped. */
  skip(name: string): void
}

/** Makes a test of each case. Skipped ones carry the reason in their title. */
export function registerSuite(
  name: string,
  plan: readonly PlannedCase<SuiteCase<never>>[],
  runner: TestRunner,
): void {
  runner.describe(name, () => {
    for (const { entry, skip, run } of plan) {
      const title = `${entry.id} ${entry.title}`
      if (skip === undefined) runner.test(title, run)
      else runner.skip(`${title} (skipped: ${skip})`)
    }
  })
}
