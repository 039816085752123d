/** Share of the window from which a session is compacted before a turn, whatever its engine says. */
export const HYGIENE_SHARE = 0.85
/** Below this many messages there is nothing that compaction could shorten. */
export const HYGIENE_MIN_MESSAGES = 4

export interface HygieneInput {
  /** The model's window, in tokens. */
  readonly contextLength: number
  readonly messageCount: number
  /** Prompt tokens as the provider reported them, if it did for this prompt. */
  readonly reportedTokens?: number
  /** Prompt tokens as we estimate them; used when nothing was reported. */
  readonly estimatedTokens: number
}

/** The safety net: true from 85 % of the window and 4 messages on. Reported tokens go before estimates. Pure. */
export function needsHygiene({
  contextLength,
  messageCount,
  reportedTokens,
  estimatedTokens,
}: HygieneInput): boolean {
  return (
    messageCount >= HYGIENE_MIN_MESSAGES &&
    (reportedTokens ?? estimatedTokens) >= contextLength * HYGIENE_SHARE
  )
}
