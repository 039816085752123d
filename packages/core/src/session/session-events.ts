import type { Violation } from '../laws/violation.ts'
import type { CacheObservation } from '../spec/v1/cache-planner.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { Usage } from '../spec/v1/usage.ts'
import type { Warning } from '../spec/v1/warning.ts'
import type { PromptEstimate } from './prompt-budget.ts'

/** A message of the transcript. */
export interface MessagePlace {
  readonly index: number
  /** The message's own, where it has one. */
  readonly id?: string
}

/** Why a compaction was asked for; `idle`: the provider had dropped the prompt from its cache. */
export type CompactionTrigger =
  | 'threshold'
  | 'hygiene'
  | 'preflight'
  | 'prune'
  | 'manual'
  | 'overflow'
  | 'idle'

/** An event of a session, discriminated by `type`. */
export type SessionEvent =
  | { readonly type: 'ingested'; readonly count: number; readonly from: number }
  /** The host took messages back: its list differs from the transcript from `from` on. */
  | { readonly type: 'edited'; readonly from: number; readonly dropped: number }
  | {
      readonly type: 'compaction'
      readonly trigger: CompactionTrigger
      readonly result: CompressResult
      /** The size of the prompt before, in tokens, and the source of that number. */
      readonly estimate: PromptEstimate
      /** False when the result broke a law and was not used. */
      readonly committed: boolean
    }
  /** The last compaction was undone: these messages are in the prompt again. */
  | { readonly type: 'undone'; readonly left: readonly MessagePlace[] }
  /** The state of the cache, by the provider's usage. Only with a planner. */
  | { readonly type: 'cache'; readonly observation: CacheObservation }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'violations'; readonly violations: readonly Violation[] }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'reset' }
  | { readonly type: 'ended' }

export type SessionListener = (event: SessionEvent) => void
