import { styleText } from 'node:util'
import type { CaseResult } from '../run-suite.ts'
import type { ContractReport } from './contract-report.ts'
import type { ProgressLine } from './progress-line.ts'
import type { Reporter, Write } from './reporter.ts'

/** For people: what failed as it fails, then what was skipped and what the cases tell, and a closing line. */
export function createPeopleReporter(write: Write, progress: ProgressLine): Reporter {
  let total = 0
  let done = 0
  let lastReason: string | undefined
  return {
    planned({ cases }) {
      total = cases.length
    },
    started(id) {
      progress.show(`${id}  ${done} of ${total}`)
    },
    finished(result) {
      done++
      if (result.status !== 'failed') return
      progress.clear()
      write(failure(result, lastReason))
      lastReason = result.reason
    },
    ended(report) {
      progress.clear()
      write(closing(report))
    },
    interrupted() {
      progress.clear()
      write(`interrupted after ${done} of ${total} cases\n`)
    },
  }
}

/** A reason that many cases have in a row, such as an engine that cannot be created, is told once. */
function failure({ id, title, reason = '' }: CaseResult, lastReason: string | undefined): string {
  const told = reason === lastReason ? 'for the same reason' : reason
  return `${styleText('red', id)} ${title}\n${indented(told)}\n`
}

function closing({ engine, capabilities, expected, cases, counts, durationMs }: ContractReport): string {
  const skipped = Map.groupBy(
    cases.filter(({ status }) => status === 'skipped'),
    ({ reason }) => reason,
  )
  const lines = [...skipped].map(
    ([reason, group]) => `skipped ${group.map(({ id }) => id).join(' ')}: ${reason}`,
  )
  for (const { id, notes } of cases) for (const note of notes) lines.push(`${id}: ${note}`)
  lines.push(`declared: ${capabilities.join(', ') || 'nothing'}${expectation(expected)}`)
  const { passed, failed } = counts
  const colour = failed > 0 ? 'red' : 'green'
  const sums = `${passed} passed, ${failed} failed, ${counts.skipped} skipped`
  return `${lines.join('\n')}\n${engine}: ${styleText(colour, sums)} in ${(durationMs / 1000).toFixed(1)} s\n`
}

function expectation(expected: readonly string[]): string {
  return expected.length === 0 ? '' : ` (expected: ${expected.join(', ')})`
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
