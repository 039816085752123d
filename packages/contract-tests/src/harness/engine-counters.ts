import type { ContextEngine } from '@palimpsest/core'

/** The state of an engine that hosts read, as it is now. */
export function countersOf(engine: ContextEngine) {
  const { lastPromptTokens, lastCompletionTokens, lastTotalTokens, compressionCount } = engine
  return { lastPromptTokens, lastCompletionTokens, lastTotalTokens, compressionCount }
}
