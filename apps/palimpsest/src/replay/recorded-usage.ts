import type { Usage } from '@palimpsest/core'

/** Providers' tokenizers do not differ by more than this from ours; anything beyond is a mistake in the file. */
const FACTOR_BOUNDS = { min: 0.8, max: 2 }

interface UsageSource {
  /**
   * The usage to observe.
   *
   * @param recorded what the file says for this response, if it says anything
   * @param counted tokens of the messages that were sent, by our counter
   * @param asRecorded whether these messages are the ones that the recorded host sent
   */
  next(recorded: Usage | undefined, counted: number, asRecorded: boolean): Usage
  /** By which factor the recorded provider counted more than we do; 1 when the file says nothing. */
  readonly factor: number
}

/**
 * Recorded usage holds while the prompt is the recorded one. It covers what the file does not contain, the
 * host's system prompt and tools; that fixed part is taken off, because the engine does not own it. From
 * the first compaction on, the count is used, corrected by how the provider's counts differed until then.
 */
export function createUsageSource(): UsageSource {
  let fixed: number | undefined
  let factor = 1
  return {
    get factor() {
      return factor
    },
    next(recorded, counted, asRecorded) {
      let promptTokens = Math.round(counted * factor)
      if (recorded !== undefined && asRecorded) {
        fixed ??= Math.max(0, recorded.promptTokens - counted)
        const own = recorded.promptTokens - fixed
        if (own >= counted * FACTOR_BOUNDS.min && own <= counted * FACTOR_BOUNDS.max) {
          factor = own / Math.max(1, counted)
          promptTokens = own
        }
      }
      const completionTokens = recorded?.completionTokens ?? 0
      return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
    },
  }
}
