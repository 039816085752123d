import { styleText } from 'node:util'
import { sliceCharacters } from '@palimpsest/core'
import type { CaseResult } from '../run-suite.ts'
import type { Call } from './read-arguments.ts'

export interface ContractReport {
  readonly engine: string
  readonly module: string
  readonly versions: { readonly contractTests: string; readonly core: string }
  readonly capabilities: readonly string[]
  readonly expected: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  readonly seed: number
  readonly propertyRuns: number
  readonly durationMs: number
  readonly counts: Readonly<Record<CaseResult['status'], number>>
  readonly cases: readonly CaseResult[]
}

const REASON_CHARACTERS = 600

export function renderFailure({ id, title, reason = '' }: CaseResult, call: Call, seed: number): string {
  const shown =
    reason.length <= REASON_CHARACTERS
      ? reason
      : `${sliceCharacters(reason, 0, REASON_CHARACTERS)}… (--json has all of it)`
  const again = id.startsWith('P') ? `\nagain: ${repeatCommand(call, id, seed)}` : ''
  return `${styleText('red', id)} ${title}\n${`${shown}${again}`.replace(/^(?=.)/gm, '    ')}\n`
}

export function renderEnd(report: ContractReport): string {
  const { engine, capabilities, expected, cases, counts, durationMs } = report
  const skipped = Map.groupBy(
    cases.filter(({ status }) => status === 'skipped'),
    ({ reason }) => reason,
  )
  const isRed = counts.failed > 0 || ranNothing(report)
  const sums = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  const lines = [
    ...Array.from(skipped, ([reason, group]) => `skipped ${group.map(({ id }) => id).join(' ')}: ${reason}`),
    `declared: ${capabilities.join(', ') || 'nothing'}${expected.length > 0 ? ` (expected: ${expected.join(', ')})` : ''}`,
    ...(ranNothing(report) ? ['nothing ran: every case that was asked for is skipped'] : []),
    `${engine}: ${styleText(isRed ? 'red' : 'green', sums)} in ${(durationMs / 1000).toFixed(1)} s`,
  ]
  return `${lines.join('\n')}\n`
}

export function ranNothing({ counts }: Pick<ContractReport, 'counts'>): boolean {
  return counts.passed + counts.failed === 0
}

function repeatCommand({ module = '.', options, runs }: Call, id: string, seed: number): string {
  return [
    `palimpsest-contract ${quoted(module)} ${id} --seed=${seed}`,
    ...(Object.keys(options).length > 0 ? [`--options ${quoted(JSON.stringify(options))}`] : []),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
  ].join(' ')
}

function quoted(text: string): string {
  return /^[\w./:@~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
