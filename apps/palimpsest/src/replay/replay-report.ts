import type { CompressResult, Violation, Warning } from '@palimpsest/core'
import type { RecordCounts } from '@palimpsest/decisions'
import type { BillReport } from '../bill/replay-bill.ts'

/** The output of `replay --json`. Requests are numbered from 1; sizes are tokens of our counter. */
export interface ReplayReport {
  readonly engine: string
  readonly profile: string | null
  readonly window: number
  readonly session: { readonly messages: number; readonly tokens: number; readonly userTurns: number }
  readonly requests: number
  readonly tokensSent: number
  readonly tokensSentWithout: number
  readonly compactions: readonly ReplayCompaction[]
  readonly maxProjectionTokens: number
  readonly tooLarge: number
  readonly decisions: ReplayDecisions | null
  readonly bill: BillReport
  readonly invariants: { readonly checked: number; readonly violations: readonly ReplayViolation[] }
  readonly warnings: readonly ReplayWarning[]
}

export interface ReplayDecisions extends RecordCounts {
  readonly blockTokens: number
  readonly epochs: number
}

export interface ReplayCompaction
  extends Pick<CompressResult, 'outcome' | 'reason' | 'tokensBefore' | 'tokensAfter' | 'changedFrom'> {
  readonly request: number
}

export interface ReplayViolation extends Violation {
  readonly request: number
}

export interface ReplayWarning extends Warning {
  readonly request: number
}

export interface ReplayDetails {
  /** The recorded provider's tokens per token of ours; the threshold is in the provider's. */
  readonly usageFactor: number
  readonly compactions: readonly { readonly index: number; readonly trigger: string; readonly kept: string }[]
}
