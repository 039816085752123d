import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const SLOWEST = 10

/**
 * Ends a test run with the files that took longest, the tests that passed only when they were tried again, and one line
 * that programs can read: `N passed, N failed`. Skipped tests are counted above it.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const triedAgain: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === 'pending' ? 'failed' : state]++
        if (test.diagnostic()?.flaky) triedAgain.push(nameOf(test))
      }
      // A file that does not load has no tests to count.
      if (module.state() === 'failed' && [...module.children.allTests('failed')].length === 0) counts.failed++
    }
    const lines = [
      'the slowest files:',
      ...slowest(modules),
      ...(triedAgain.length > 0 ? ['passed only when tried again:', ...triedAgain] : []),
      ...(counts.skipped > 0 ? [`${counts.skipped} skipped, each with its reason above`] : []),
      `${counts.passed} passed, ${counts.failed} failed`,
    ]
    process.once('exit', () => process.stdout.write(`\n${lines.join('\n')}\n`))
  }
}

/** Loading a file is part of what it costs. */
function slowest(modules: readonly TestModule[]): string[] {
  const timed = modules.map((module) => {
    const { collectDuration, setupDuration, duration } = module.diagnostic()
    return { path: pathOf(module), seconds: (collectDuration + setupDuration + duration) / 1000 }
  })
  return timed
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`)
}

const pathOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId)
const nameOf = (test: TestCase) => `  ${pathOf(test.module)} > ${test.fullName}`
