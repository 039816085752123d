import { type Loose, looseOf } from '../messages/json-value.ts'
import type { Usage } from '../spec/v1/index.ts'

/**
 * The field names of each count; the first one present wins. Order: ours, OpenAI (Chat Completions, Responses),
 * Anthropic, Gemini, DeepSeek, AI SDK (6 and 7).
 */
const NAMES = {
  promptTokens: ['promptTokens', 'prompt_tokens', 'input_tokens', 'inputTokens', 'promptTokenCount'],
  completionTokens: ['completionTokens', 'completion_tokens', 'output_tokens', 'outputTokens'],
  totalTokens: ['totalTokens', 'total_tokens', 'totalTokenCount'],
  cacheReadTokens: [
    ...['cacheReadTokens', 'prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens'],
    ...['inputTokenDetails.cacheReadTokens', 'cachedInputTokens', 'prompt_cache_hit_tokens'],
    ...['cachedContentTokenCount', 'cache_read_input_tokens'],
  ],
  cacheWriteTokens: [
    ...['cacheWriteTokens', 'prompt_tokens_details.cache_write_tokens'],
    ...['input_tokens_details.cache_write_tokens', 'inputTokenDetails.cacheWriteTokens'],
    'cache_creation_input_tokens',
  ],
  cacheWrite1hTokens: [
    ...['cacheWrite1hTokens', 'raw.cache_creation.ephemeral_1h_input_tokens'],
    'cache_creation.ephemeral_1h_input_tokens',
  ],
  reasoningTokens: [
    ...['reasoningTokens', 'completion_tokens_details.reasoning_tokens'],
    ...['output_tokens_details.reasoning_tokens', 'outputTokenDetails.reasoningTokens', 'thoughtsTokenCount'],
  ],
} as const satisfies Record<Exclude<keyof Usage, 'beside'>, readonly string[]>

/**
 * The entries of Anthropic's `usage.iterations` that the request's own model sampled. The last `message` holds the
 * context of the answer; the counts beside the list exclude compactions.
 */
const SAMPLED: ReadonlySet<unknown> = new Set(['message', 'compaction'])

/**
 * Reads usage in our shape or a provider's. Anthropic's `input_tokens` excludes cached tokens and is corrected for
 * that. Missing or invalid numbers become 0, except cache fields, which stay absent: unknown. Unknown keys are ignored.
 * If one response has several samplings, the counts are those of the last one and the others are in `beside`.
 */
export function normalizeUsage(usage: object): Usage {
  const loose = looseOf(usage)
  const samplings = (Array.isArray(loose.iterations) ? loose.iterations : []).map(looseOf)
  const last = samplings.findLast(({ type }) => type === 'message')
  const others = samplings.filter((one) => one !== last && SAMPLED.has(one.type))
  const beside = looseOf(loose.beside)
  const all = [...others, ...(Object.keys(beside).length > 0 ? [beside] : [])].map(countsOf)
  return {
    ...countsOf(last === undefined ? loose : { ...loose, ...last }),
    ...(all.length > 0 && { beside: all.reduce(addUsage) }),
  }
}

/** The total that a response cost: its counts plus those in `beside`. */
export function billedUsage({ beside, ...usage }: Usage): Usage {
  return beside === undefined ? usage : addUsage(usage, beside)
}

function addUsage(one: Usage, other: Usage): Usage {
  const names = Object.keys({ ...one, ...other }) as (keyof typeof NAMES)[]
  return Object.fromEntries(
    names.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
  ) as unknown as Usage
}

function countsOf(loose: Loose): Usage {
  const counts = Object.fromEntries(
    Object.entries(NAMES).map(([key, names]) => [
      key,
      names.map((name) => countAt(loose, name)).find(isCount),
    ]),
  ) as { -readonly [Key in keyof typeof NAMES]: number | undefined }
  // LiteLLM uses these names beside OpenAI's, and includes cached tokens in `prompt_tokens`.
  const isAnthropic =
    !('prompt_tokens' in loose) &&
    ('cache_read_input_tokens' in loose || 'cache_creation_input_tokens' in loose)
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = counts
  if (isAnthropic) counts.promptTokens = (counts.promptTokens ?? 0) + cacheReadTokens + cacheWriteTokens
  // Gemini counts thoughts apart from the answer; other providers include them.
  const [answer, thoughts] = [loose.candidatesTokenCount, loose.thoughtsTokenCount].map((count) =>
    isCount(count) ? count : 0,
  ) as [number, number]
  counts.promptTokens ??= 0
  counts.completionTokens ??= answer + thoughts
  counts.totalTokens ??= counts.promptTokens + counts.completionTokens
  return Object.fromEntries(
    Object.entries(counts).filter(([, count]) => count !== undefined),
  ) as unknown as Usage
}

function countAt(usage: Loose, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => looseOf(value)[key], usage)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
