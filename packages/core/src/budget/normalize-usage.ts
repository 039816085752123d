import { type Loose, looseOf } from '../messages/loose.ts'
import type { Usage } from '../spec/v1/usage.ts'

/**
 * Usage from our own shape, or that of OpenAI (Chat Completions and Responses), Anthropic, DeepSeek, Gemini or the AI
 * SDK (6 and 7). Anthropic's `input_tokens` leaves out cached tokens, everyone else's count includes them. Missing or
 * odd numbers become 0, so that no NaN enters a budget; an absent cache field stays absent: unknown. Unknown keys are
 * ignored.
 */
export function normalizeUsage(usage: object): Usage {
  const loose = looseOf(usage)
  const counts = isAnthropic(loose) ? anthropicCounts(loose) : otherCounts(loose)
  const { prompt = 0, completion = 0, total = prompt + completion, ...rest } = counts
  return {
    promptTokens: prompt,
    completionTokens: completion,
    totalTokens: total,
    ...(rest.cacheRead !== undefined && { cacheReadTokens: rest.cacheRead }),
    ...(rest.cacheWrite !== undefined && { cacheWriteTokens: rest.cacheWrite }),
    ...(rest.cacheWrite1h !== undefined && { cacheWrite1hTokens: rest.cacheWrite1h }),
    ...(rest.reasoning !== undefined && { reasoningTokens: rest.reasoning }),
  }
}

interface Counts {
  readonly prompt?: number | undefined
  readonly completion?: number | undefined
  readonly total?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  readonly cacheWrite1h?: number | undefined
  readonly reasoning?: number | undefined
}

/** LiteLLM writes these names beside OpenAI's, and counts what was cached into `prompt_tokens`. */
function isAnthropic(usage: Loose): boolean {
  if ('prompt_tokens' in usage) return false
  return 'cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage
}

function anthropicCounts(usage: Loose): Counts {
  const cacheRead = tokens(usage.cache_read_input_tokens)
  const cacheWrite = tokens(usage.cache_creation_input_tokens)
  return {
    prompt: (tokens(usage.input_tokens) ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
    completion: tokens(usage.output_tokens),
    cacheRead,
    cacheWrite,
    cacheWrite1h: tokens(looseOf(usage.cache_creation).ephemeral_1h_input_tokens),
  }
}

function otherCounts(usage: Loose): Counts {
  const prompt = looseOf(usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.inputTokenDetails)
  const completion = looseOf(
    usage.completion_tokens_details ?? usage.output_tokens_details ?? usage.outputTokenDetails,
  )
  // The AI SDK has no word for the lifetime of what was written; Anthropic's own usage stands beside it.
  const written = looseOf(looseOf(usage.raw).cache_creation)
  return {
    prompt: first(
      usage.promptTokens,
      usage.prompt_tokens,
      usage.input_tokens,
      usage.inputTokens,
      usage.promptTokenCount,
    ),
    completion:
      first(usage.completionTokens, usage.completion_tokens, usage.output_tokens, usage.outputTokens) ??
      geminiOutput(usage),
    total: first(usage.totalTokens, usage.total_tokens, usage.totalTokenCount),
    cacheRead: first(
      usage.cacheReadTokens,
      prompt.cached_tokens,
      prompt.cacheReadTokens,
      usage.cachedInputTokens,
      usage.prompt_cache_hit_tokens,
      usage.cachedContentTokenCount,
      usage.cache_read_input_tokens,
    ),
    cacheWrite: first(
      usage.cacheWriteTokens,
      prompt.cache_write_tokens,
      prompt.cacheWriteTokens,
      usage.cache_creation_input_tokens,
    ),
    cacheWrite1h: first(usage.cacheWrite1hTokens, written.ephemeral_1h_input_tokens),
    reasoning: first(
      usage.reasoningTokens,
      completion.reasoning_tokens,
      completion.reasoningTokens,
      usage.thoughtsTokenCount,
    ),
  }
}

/** Gemini counts thoughts beside the answer, everyone else as a part of it. */
function geminiOutput({ candidatesTokenCount, thoughtsTokenCount }: Loose): number | undefined {
  const answer = tokens(candidatesTokenCount)
  const thoughts = tokens(thoughtsTokenCount)
  return answer === undefined && thoughts === undefined ? undefined : (answer ?? 0) + (thoughts ?? 0)
}

function first(...values: readonly unknown[]): number | undefined {
  return values.map(tokens).find((value) => value !== undefined)
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
