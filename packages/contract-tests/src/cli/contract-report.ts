import type { EngineCapability } from '@palimpsest/core'
import type { CaseResult, CaseStatus } from '../run-suite.ts'

/** Everything about a run: what `--json` prints. */
export interface ContractReport {
  /** The engine's name in the target. */
  readonly engine: string
  /** The file that was loaded, from the folder of the call. */
  readonly module: string
  readonly versions: { readonly contractTests: string; readonly core: string }
  /** The declared capabilities; cases that need more were skipped. */
  readonly capabilities: readonly EngineCapability[]
  /** The expected capabilities; empty when there is no expectation. */
  readonly expected: readonly EngineCapability[]
  /** Options of the call. */
  readonly options: Readonly<Record<string, unknown>>
  readonly seed: number
  readonly propertyRuns: number
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
