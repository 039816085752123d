import type { Usage } from '../spec/usage.ts'

type Loose = Readonly<Record<string, unknown>>

/**
 * Usage from what a host has: our own shape, or the `usage` of OpenAI Chat Completions. Missing or odd
 * numbers become 0, so that no NaN enters a budget; an absent cache field stays absent, because it means
 * unknown. Unknown keys are ignored.
 */
export function normalizeUsage(usage: object): Usage {
  const loose = (usage ?? {}) as Loose
  const prompt = tokens(loose.promptTokens ?? loose.prompt_tokens) ?? 0
  const completion = tokens(loose.completionTokens ?? loose.completion_tokens) ?? 0
  const promptDetails = (loose.prompt_tokens_details ?? {}) as Loose
  const completionDetails = (loose.completion_tokens_details ?? {}) as Loose
  const cacheRead = tokens(loose.cacheReadTokens ?? promptDetails.cached_tokens)
  const cacheWrite = tokens(loose.cacheWriteTokens ?? promptDetails.cache_write_tokens)
  const reasoning = tokens(loose.reasoningTokens ?? completionDetails.reasoning_tokens)
  return {
    promptTokens: prompt,
    completionTokens: completion,
    totalTokens: tokens(loose.totalTokens ?? loose.total_tokens) ?? prompt + completion,
    ...(cacheRead !== undefined && { cacheReadTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteTokens: cacheWrite }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  }
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
