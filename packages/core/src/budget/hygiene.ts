/** Share of the window from which a session is compacted before a turn, whatever its engine says. */
export const HYGIENE_SHARE = 0.85
/** Below this many messages there is nothing that compaction could shorten. */
const HYGIENE_MIN_MESSAGES = 4

interface HygieneInput {
  readonly contextLength: number
  readonly messageCount: number
  readonly promptTokens: number
}

/** The safety net: true from 85 % of the window and 4 messages on. */
export function needsHygiene({ contextLength, messageCount, promptTokens }: HygieneInput): boolean {
  return messageCount >= HYGIENE_MIN_MESSAGES && promptTokens >= contextLength * HYGIENE_SHARE
}
