import type { CompressResult, Violation, Warning } from '@palimpsest/core'
import type { RecordCounts } from '@palimpsest/decisions'
import type { BillReport } from '../bill/replay-bill.ts'

/** The output of `replay --json`. Requests are numbered from 1; all sizes are tokens of our counter. */
export interface ReplayReport {
  readonly engine: string
  readonly profile: string | null
  readonly window: number
  readonly session: { readonly messages: number; readonly tokens: number; readonly userTurns: number }
  readonly requests: number
  readonly tokensSent: number
  /** The same requests with the whole history each time. */
  readonly tokensSentWithout: number
  readonly compactions: readonly ReplayCompaction[]
  readonly maxProjectionTokens: number
  /** Requests whose prompt is larger than the window: a provider would have refused them. */
  readonly tooLarge: number
  readonly decisions: ReplayDecisions | null
  readonly bill: BillReport
  readonly invariants: { readonly checked: number; readonly violations: readonly ReplayViolation[] }
  readonly warnings: readonly ReplayWarning[]
}

export interface ReplayDecisions extends RecordCounts {
  /** The block at the top and the notes beside queries in the last prompt. */
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

/** `request` is 0 for what was said before the first one. */
export interface ReplayWarning extends Warning {
  readonly request: number
}

export interface ReplayDetails {
  /** By which factor the recorded provider's counts differ from ours: the threshold is in the provider's. */
  readonly usageFactor: number
  /** For each compaction of the report: how many messages stood before it, what triggered it, what was kept. */
  readonly compactions: readonly { readonly index: number; readonly trigger: string; readonly kept: string }[]
}
