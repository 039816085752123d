import type { CaseResult } from '../run-suite.ts'
import type { ContractReport } from './contract-report.ts'
import type { ContractPlan } from './worker-messages.ts'

/** Shows a run, in one format. */
export interface Reporter {
  planned?(plan: ContractPlan): void
  started?(id: string): void
  finished?(result: CaseResult): void
  /** The run came to its end. */
  ended?(report: ContractReport): void
  /** It was stopped before. */
  interrupted?(): void
}

/** Puts text on the output of the command. */
export type Write = (text: string) => void
