import type { Estimate } from '../bootstrap.ts'

/** What each arm keeps of recorded sessions. Everything in it is the same in every run. */
export interface RecallReport {
  readonly budgets: readonly number[]
  readonly sessions: readonly SessionFacts[]
  readonly skipped: readonly { readonly file: string; readonly reason: string }[]
  /** Arm by arm within each budget. */
  readonly rows: readonly RecallRow[]
  /** Arm by arm within each budget; arms that never compacted have none. */
  readonly afterCompaction: readonly AfterCompactionRow[]
  /**
   * Compactions that the recorded hosts did themselves: the text of their summary alone, without the messages that the host
   * kept. Beside it, of each arm, the last projection that it made up to that place (it need not have compacted there), played
   * with a budget of twice the mean size of the session's summaries.
   */
  readonly native: readonly NativeRow[]
}

export interface SessionFacts {
  readonly name: string
  readonly messages: number
  readonly tokens: number
  /** Different identifiers that user and assistant messages use. */
  readonly identifiers: number
  /** Far re-references, one entry for each budget. */
  readonly far: readonly { readonly budget: number; readonly assistant: number; readonly user: number }[]
}

/** A share with what it is worth: the mean over all cases, where empty is 0 and full is 1, and against the tail. */
export interface Share {
  readonly mean: Estimate | null
  /** (x − empty) ÷ (full − empty). */
  readonly normalized: Estimate | null
  /** x − truncate, paired by session. */
  readonly gain: Estimate | null
}

export interface RecallRow {
  readonly arm: string
  readonly kind: 'engine' | 'peer' | 'bound'
  readonly budget: number
  /** Far re-references of the assistant's messages that stood in the projection. */
  readonly assistant: Share
  readonly user: Share
  /**
   * Of all of them (both roles): in the projection or found by at most so many calls of the arm's tools, asked for the
   * identifier itself. `tokensPerProbe`: mean tokens of the answers that were read for one; null when nothing was asked.
   */
  readonly reached: {
    readonly at1: Estimate | null
    readonly at3: Estimate | null
    readonly tokensPerProbe: number | null
  }
  /** The same where the searcher never gets the identifier, only the words around it in the message that uses it. */
  readonly reachedByContext?: { readonly at1: Estimate | null; readonly at3: Estimate | null }
  /** Where in the prompt found identifiers stand, as shares of tenths of its tokens, beginning to end; the last place counts. */
  readonly position: readonly number[]
  /** Mean tokens of the projections, and of the tools beside them. */
  readonly tokens: number
  readonly toolTokens: number
  /** Mean tokens of a projection for each far re-reference that it held, over requests that had one; null when none was held. */
  readonly tokensPerFact: number | null
  readonly overBudget: { readonly count: number; readonly n: number }
  /** Requests for which the conversation was compacted; for an arm without a memory all that left something out. */
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
  /** Recall by kind of identifier, assistant's turns. */
  readonly byKind: Readonly<Record<string, { readonly found: number; readonly n: number }>>
}

/** Of the identifiers that the 120 messages behind a compaction use and that were there before it. */
export interface AfterCompactionRow {
  readonly arm: string
  readonly kind: 'engine' | 'peer' | 'bound'
  readonly budget: number
  readonly compactions: number
  /** Mean tokens of the projection right behind it. */
  readonly tokens: number
  /** Share that this projection holds. */
  readonly projection: Estimate | null
  /** Share that an equally large end of the transcript holds. */
  readonly tail: Estimate | null
  /** Mean tokens of that end: no call is cut in two, so that it seldom has as many as the projection. */
  readonly tailTokens?: number
  /** `projection` over `tail`. */
  readonly ratio: number | null
}

export interface NativeRow {
  readonly session: string
  /** Index of the message before which the host compacted. */
  readonly message: number
  /** Tokens of the host's own summary. */
  readonly tokens: number
  readonly n: number
  /** `native`, then each arm that is no bound. */
  readonly shares: readonly NativeShare[]
}

export interface NativeShare {
  readonly arm: string
  /** Of the summary, or of the arm's projection. */
  readonly tokens: number
  /** Of the identifiers that the next 120 messages use and that were there before. */
  readonly share: number
  /** The same share of an equally large end of the transcript. */
  readonly tail?: number
}
