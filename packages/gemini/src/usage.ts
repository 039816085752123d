import type { GenerateContentResponseUsageMetadata } from '@google/genai'
import type { Usage } from '@palimpsest/core'

/**
 * Gemini's counts as `Usage`. The prompt includes cached tokens and what tools of Google's own fed back into it;
 * the completion includes thoughts. Undefined when the prompt was not counted.
 */
export function toUsage(metadata: GenerateContentResponseUsageMetadata | undefined): Usage | undefined {
  const prompt = count(metadata?.promptTokenCount)
  if (metadata === undefined || prompt === undefined) return undefined
  const cached = count(metadata.cachedContentTokenCount)
  const thoughts = count(metadata.thoughtsTokenCount)
  const promptTokens = prompt + (count(metadata.toolUsePromptTokenCount) ?? 0)
  const completionTokens = (count(metadata.candidatesTokenCount) ?? 0) + (thoughts ?? 0)
  return {
    promptTokens,
    completionTokens,
    totalTokens: promptTokens + completionTokens,
    ...(cached === undefined ? {} : { cacheReadTokens: cached }),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
  }
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
