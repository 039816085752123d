/** Growth after which a compaction that had nothing to do is tried again. */
const RETRY_GROWTH = 1.05
/** A prompt that is this much smaller is another one: the host took messages back. */
const RETRY_SHRINK = 0.95

/** Keeps an engine from compacting again and again at a size at which nothing can be gained. */
export interface GrowthGate {
  /** True for a prompt size, in tokens, at which asking again is useless. */
  isBlocked(promptTokens: number): boolean
  /** Nothing could be gained at this size: wait until the prompt has grown. */
  block(promptTokens: number): void
  clear(): void
}

export function createGrowthGate(): GrowthGate {
  let blockedAt = 0
  return {
    isBlocked: (promptTokens) =>
      promptTokens >= blockedAt * RETRY_SHRINK && promptTokens < blockedAt * RETRY_GROWTH,
    block(promptTokens) {
      blockedAt = promptTokens
    },
    clear() {
      blockedAt = 0
    },
  }
}
