import type { CaseResult } from '../run-suite.ts'
import { NOTHING_RAN, ranNothing } from './contract-report.ts'
import type { Reporter, Write } from './reporter.ts'

/** TAP, version 14: a line a case as it ends, with the reason of a failure as YAML. */
export function createTapReporter(write: Write): Reporter {
  let number = 0
  return {
    planned({ cases }) {
      write(`TAP version 14\n1..${cases.length}\n`)
    },
    finished(result) {
      number++
      write(tapPoint(number, result))
    },
    ended({ engine, capabilities, versions, seed, propertyRuns, counts }) {
      write(
        [
          ...(ranNothing(counts) ? [NOTHING_RAN] : []),
          `${engine}, declared: ${capabilities.join(', ') || 'nothing'}`,
          `contract-tests ${versions.contractTests}, core ${versions.core}, seed ${seed}, runs ${propertyRuns}`,
        ]
          .map((line) => `# ${oneLine(line)}\n`)
          .join(''),
      )
    },
    interrupted() {
      write('Bail out! interrupted\n')
    },
  }
}

function tapPoint(number: number, { id, title, status, reason = '', notes, durationMs }: CaseResult): string {
  const point = `${status === 'failed' ? 'not ok' : 'ok'} ${number} - ${escaped(`${id} ${title}`)}`
  if (status === 'skipped') return `${point} # SKIP ${escaped(reason)}\n`
  const comments = notes.map((note) => `# ${id} ${oneLine(note)}\n`).join('')
  if (status === 'passed') return `${point}\n${comments}`
  // JSON texts are YAML, whatever stands in them.
  return `${point}\n  ---\n  message: ${JSON.stringify(reason)}\n  duration_ms: ${durationMs}\n  ...\n${comments}`
}

/** A number sign would begin a directive. */
function escaped(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
