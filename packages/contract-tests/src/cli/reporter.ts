import type { CaseResult, CaseStatus } from '../run-suite.ts'
import type { ContractPlan } from './worker-messages.ts'

/** Shows a run, in one format. */
export interface Reporter {
  planned?(plan: ContractPlan): void
  started?(id: string): void
  finished?(result: CaseResult): void
  ended?(report: ContractReport): void
  interrupted?(): void
}

/** Puts text on the output of the command. */
export type Write = (text: string) => void

/** Everything about a run: what `--json` prints. */
export interface ContractReport
  extends Pick<ContractPlan, 'engine' | 'capabilities' | 'expected' | 'seed' | 'propertyRuns'> {
  /** The file that was loaded, from the folder of the call. */
  readonly module: string
  readonly versions: { readonly contractTests: string; readonly core: string }
  readonly options: Readonly<Record<string, unknown>>
  readonly durationMs: number
  readonly counts: Readonly<Record<CaseStatus, number>>
  readonly cases: readonly CaseResult[]
}

/** The number of cases by outcome. */
export function countResults(cases: readonly CaseResult[]): Record<CaseStatus, number> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status } of cases) counts[status]++
  return counts
}

/** Whether a run says nothing about the engine. */
export function ranNothing({ passed, failed }: ContractReport['counts']): boolean {
  return passed + failed === 0
}

/** The line of reports in that case. */
export const NOTHING_RAN = 'nothing ran: every case that was asked for is skipped'

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
