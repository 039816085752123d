import type { Reporter, TestModule } from 'vitest/node'

/** Ends a test run with one line that programs can read: `N passed, N failed`. Skipped tests are counted above it. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === 'pending' ? 'failed' : state]++
      }
      // A file that does not load has no tests to count.
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) counts.failed++
    }
    const skipped = counts.skipped > 0 ? `${counts.skipped} skipped, each with its reason above\n` : ''
    process.once('exit', () =>
      process.stdout.write(`\n${skipped}${counts.passed} passed, ${counts.failed} failed\n`),
    )
  }
}
