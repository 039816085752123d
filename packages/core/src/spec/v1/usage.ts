/** Token counts of one response, as the provider reported them. An absent field means unknown, not zero. */
export interface Usage {
  /** All tokens of the prompt, cached ones included. */
  readonly promptTokens: number
  /** Tokens that the model produced, reasoning included. */
  readonly completionTokens: number
  /** Prompt and completion together. */
  readonly totalTokens: number
  /** Part of `promptTokens` that was read from a cache. */
  readonly cacheReadTokens?: number
  /** Part of `promptTokens` that was written to a cache. */
  readonly cacheWriteTokens?: number
  /** Part of `cacheWriteTokens` that was written for the long lifetime: an hour at Anthropic. */
  readonly cacheWrite1hTokens?: number
  /** Part of `completionTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number
}
