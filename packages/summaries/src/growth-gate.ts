/** Growth after which a compaction that had nothing to do is tried again. */
const RETRY_GROWTH = 1.05
/** A prompt that is this much smaller is another one: the host took messages back. */
const RETRY_SHRINK = 0.95

/** Keeps an engine from compacting again and again at a size at which nothing can be gained. */
export interface GrowthGate {
  /** True for a prompt size, in tokens, at which asking again is useless, unless the prompt would become another one. */
  isBlocked(promptTokens: number, resultTokens?: number): boolean
  /** Nothing could be gained at this size: wait until the prompt has grown by 5 %. */
  block(promptTokens: number): void
  clear(): void
}

export function createGrowthGate(): GrowthGate {
  let blocked = { from: 0, until: 0 }
  return {
    isBlocked: (promptTokens, resultTokens = promptTokens) =>
      promptTokens < blocked.until && Math.min(promptTokens, resultTokens) >= blocked.from,
    block(promptTokens) {
      blocked = { from: promptTokens * RETRY_SHRINK, until: promptTokens * RETRY_GROWTH }
    },
    clear() {
      blocked = { from: 0, until: 0 }
    },
  }
}
