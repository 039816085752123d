import { isObject, normalizeUsage, type Usage } from '@palimpsest/core'

/** Reads usage as pi records it: `input` excludes `cacheRead` and `cacheWrite`, for every provider. */
export function piUsage(recorded: unknown): Usage | undefined {
  if (!isObject(recorded)) return undefined
  return reported({
    promptTokens: sum(recorded.input, recorded.cacheRead, recorded.cacheWrite),
    completionTokens: recorded.output,
    cacheReadTokens: recorded.cacheRead,
    cacheWriteTokens: recorded.cacheWrite,
  })
}

/** Codex uses the names of OpenAI's Responses API: the prompt includes cached tokens. */
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

/** Undefined for zero tokens, which hosts write when a request was aborted. */
export function apiUsage(recorded: unknown): Usage | undefined {
  return isObject(recorded) ? reported(recorded) : undefined
}

function reported(counts: object): Usage | undefined {
  const usage = normalizeUsage(counts)
  return usage.promptTokens + usage.completionTokens > 0 ? usage : undefined
}

export function sum(...counts: unknown[]): number {
  return counts.reduce<number>((total, count) => total + (isCount(count) ? count : 0), 0)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
