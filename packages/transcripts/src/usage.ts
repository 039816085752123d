import { isObject, normalizeUsage, type Usage } from '@palimpsest/core'

/** Usage as pi records it: `input` leaves out `cacheRead` and `cacheWrite`, for every provider. */
export function piUsage(recorded: unknown): Usage | undefined {
  if (!isObject(recorded)) return undefined
  return reported({
    promptTokens: sum(recorded.input, recorded.cacheRead, recorded.cacheWrite),
    completionTokens: recorded.output,
    cacheReadTokens: recorded.cacheRead,
    cacheWriteTokens: recorded.cacheWrite,
  })
}

/** Usage as Codex records it, in the names of OpenAI's Responses API: the prompt includes cached tokens. */
export function codexUsage(recorded: unknown): Usage | undefined {
  if (!isObject(recorded)) return undefined
  return reported({
    promptTokens: recorded.input_tokens,
    completionTokens: recorded.output_tokens,
    cacheReadTokens: recorded.cached_input_tokens,
    cacheWriteTokens: recorded.cache_write_input_tokens,
    reasoningTokens: recorded.reasoning_output_tokens,
  })
}

/**
 * Usage as an API reports it: Anthropic's Messages or OpenAI's Chat Completions. Undefined for zero tokens, which hosts
 * write when a request was cut off.
 */
export function apiUsage(recorded: unknown): Usage | undefined {
  return isObject(recorded) ? reported(recorded) : undefined
}

function reported(counts: object): Usage | undefined {
  const usage = normalizeUsage(counts)
  return usage.promptTokens + usage.completionTokens > 0 ? usage : undefined
}

/** Adds up the counts; other values are left out. */
export function sum(...counts: unknown[]): number {
  return counts.reduce<number>((total, count) => total + (isCount(count) ? count : 0), 0)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
