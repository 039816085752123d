import type { Warning } from '@palimpsest/core'
import type { PaidTokens } from '../models/price-of.ts'
import type { PromptBreakdown } from './prompt-breakdown.ts'
import type { CodePiece } from './system-prompt.ts'

export interface QueryInput {
  readonly query: string
  /** The frame of the question; it is said before it. */
  readonly task?: string | undefined
  /** Code for this turn; without it, that of the turn before stays. */
  readonly codes?: readonly CodePiece[] | undefined
  /** The caller's name for this request: asked again, it is answered from the record. */
  readonly requestId?: string | undefined
}

export interface TurnUsage extends PaidTokens {
  readonly model: string
  /** More than one when the model called tools. */
  readonly requests: number
  /** US dollars; null when the model's price is not known. */
  readonly usd: number | null
}

/** An answer whose turn is stored. */
export interface QueryResult {
  readonly answer: string
  readonly session: string
  /** From 1. */
  readonly turn: number
  /** True when no model answered. */
  readonly offline: boolean
  /** Says what an offline answer is. */
  readonly notice?: string
  readonly breakdown: PromptBreakdown
  readonly usage: TurnUsage | null
  /** Compactions of this turn. */
  readonly compactions: number
  readonly warnings: readonly Warning[]
  /** Set when this is the stored answer to a request that was made before. */
  readonly repeated?: true
}
