/** The share of the usable window at which compaction begins: the seed's default. */
export const DEFAULT_THRESHOLD = 0.5

export interface ThresholdInput {
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens reserved for the answer. Values that leave no room are ignored. Default 0. */
  readonly maxOutputTokens?: number
  /** Share of the usable window, 0 to 1; 0 stands for never, and counts as the whole of it. Default 0.5. */
  readonly threshold?: number
}

/**
 * The prompt size, in tokens, from which an engine compacts: (window − answer) × threshold, at least 1. For a threshold
 * of 0, with which an engine does not compact by itself, it is what a prompt is brought below when somebody else asks.
 */
export function thresholdTokens({
  contextLength,
  maxOutputTokens = 0,
  threshold = DEFAULT_THRESHOLD,
}: ThresholdInput): number {
  const reserved =
    Number.isInteger(maxOutputTokens) && maxOutputTokens > 0 && maxOutputTokens < contextLength
      ? maxOutputTokens
      : 0
  return Math.max(1, Math.floor((contextLength - reserved) * (threshold || 1)))
}
