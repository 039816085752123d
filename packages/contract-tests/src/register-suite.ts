import type { PlannedCase, SuiteCase } from './run-suite.ts'

export interface TestRunner {
  describe(name: string, body: () => void): void
  test(name: string, body: () => Promise<void>): void
  skip(name: string): void
}

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
