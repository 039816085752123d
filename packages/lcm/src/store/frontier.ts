import type { SummaryNode } from './summary-node.ts'

/**
 * Why a frontier came to be:
 * - `start`: the first one, which covers nothing.
 * - `compaction`: summaries took the place of messages or of other summaries.
 * - `edit`: the host edited its history; summaries of what it replaced had to go.
 * - `undo`: a compaction was taken back.
 * - `forget`: messages were deleted on request; the list is the one before it.
 */
export type FrontierReason = 'start' | 'compaction' | 'edit' | 'undo' | 'forget'

/** The past of a session: summaries in order, without gap or overlap, and behind them the messages themselves. */
export interface Frontier {
  /** 0 when nothing was ever compacted; one more with each change. */
  readonly version: number
  readonly nodes: readonly SummaryNode[]
}

/** One entry in the history of a session's frontiers. */
export interface FrontierVersion {
  readonly version: number
  readonly reason: FrontierReason
  /** The number that the next message would have had when it came to be. */
  readonly nextSeq: number
  readonly at: number
}
