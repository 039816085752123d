import type { FrontierReason } from './frontier.ts'
import type { SeqRange } from './lcm-session.ts'
import type { SummaryNode } from './summary-node.ts'

/**
 * A session as a sequence of records: first `session`, then its own messages and summaries by number, then its
 * frontier versions. A fork holds what is its own; its parent comes before it.
 */
export type DumpRecord =
  | {
      readonly type: 'session'
      readonly principal: string
      readonly key: string
      readonly createdAt: number
      readonly parent?: { readonly key: string; readonly seq: number; readonly summary: number }
      readonly nextSeq: number
      readonly nextSummary: number
      /** Of its newest frontier. */
      readonly version: number
      readonly replaced: readonly SeqRange[]
    }
  | {
      readonly type: 'message'
      readonly seq: number
      readonly role: string
      readonly hostId?: string
      readonly at: number
      readonly tokens: number
      readonly hash: string
      /** Empty when the message was forgotten. */
      readonly json: string
      readonly forgotten?: { readonly at: number; readonly reason: string }
    }
  | ({ readonly type: 'summary' } & SummaryNode)
  | {
      readonly type: 'frontier'
      readonly version: number
      readonly reason: FrontierReason
      readonly nextSeq: number
      readonly at: number
      readonly summaries: readonly number[]
    }
