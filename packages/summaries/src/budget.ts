/**
 * The length of a model's record, in tokens and shares: that of Hermes Agent, but for the share of the window, which is 5 % there. In
 * a window of 64,000 tokens, one run each on a coding session, a reader answered 25.5 of 30 questions from the compressor's record
 * with 5 %, and 25 with 10 %, of which the writer used a half: more room costs nothing where the model does not fill it.
 */
export const SUMMARY_BUDGET = Object.freeze({
  /** Share of what the summary replaces. */
  ratio: 0.2,
  least: 2_000,
  most: 12_000,
  /** The most of the window. */
  windowShare: 0.1,
  /** Of the room for messages, where the least is more than the window's share. */
  roomShare: 0.25,
})

export interface BudgetInput {
  /** Tokens of the messages that the summary replaces, and of the record before it. */
  readonly replaced: number
  readonly contextLength: number
  /** Tokens that the messages of a prompt may take. */
  readonly room: number
}

/** The length to ask a summariser for, in tokens. A model that answers up to twice as long is believed. */
export function summaryBudget({ replaced, contextLength, room }: BudgetInput): number {
  const { ratio, least, most, windowShare, roomShare } = SUMMARY_BUDGET
  const share = contextLength * windowShare
  const limit = share < least ? Math.min(least, room * roomShare) : Math.min(most, share)
  return Math.max(1, Math.floor(Math.min(limit, Math.max(least, replaced * ratio))))
}
