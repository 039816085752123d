import type { ApiFailure } from './api-failure.ts'

export interface Dialect {
  /**
   * The name of the output limit. OpenAI's reasoning models refuse `max_tokens`
   * (https://platform.openai.com/docs/api-reference/chat/create); most other servers know only that name, and some
   * ignore unknown ones, so the answer would be unlimited.
   */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens'
  /** Streams have token counts only if `stream_options` asks for them. */
  readonly streamUsage: boolean
  /** OpenAI knows the role `developer` and refuses unknown fields. */
  readonly isOpenAi: boolean
  /**
   * True if every answer needs `reasoning_content`. DeepSeek refuses a conversation with tool calls in which one lacks
   * it, but accepts an empty one (https://api-docs.deepseek.com/guides/thinking_mode#tool-calls): compaction removes
   * reasoning, and other models' answers have none.
   */
  readonly reasoningContent: boolean
}

/** True for OpenAI's own API, including its regions (https://platform.openai.com/docs/guides/your-data). */
export function isOpenAi(baseUrl: string): boolean {
  return /(?:^|\.)api\.openai\.com$/.test(hostOf(baseUrl))
}

/** Azure serves OpenAI's models, with OpenAI's rules. */
export function dialectOf(baseUrl: string): Dialect {
  const own =
    isOpenAi(baseUrl) || /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/.test(hostOf(baseUrl))
  return {
    outputLimit: own ? 'max_completion_tokens' : 'max_tokens',
    streamUsage: true,
    isOpenAi: own,
    reasoningContent: /(?:^|\.)deepseek\.com$/.test(hostOf(baseUrl)),
  }
}

/** Messages of servers that do not support a parameter. */
const refusal =
  /un(?:supported|known|recogni[sz]ed|expected)|not (?:supported|permitted|allowed)|extra_forbidden|instead/i

const demand = /missing|required|passed back/i

/**
 * The dialect that a refusal asks for: without `stream_options`, with the other name of the output limit, or with
 * reasoning in every answer. Undefined for other refusals.
 */
export function dialectAfter(dialect: Dialect, failure: ApiFailure | undefined): Dialect | undefined {
  if (failure === undefined || (failure.status !== 400 && failure.status !== 422)) return undefined
  const said = `${failure.param} ${failure.message}`
  if (!dialect.reasoningContent && said.includes('reasoning_content') && demand.test(said))
    return { ...dialect, reasoningContent: true }
  if (!refusal.test(said)) return undefined
  if (dialect.streamUsage && /stream_options|include_usage/.test(said))
    return { ...dialect, streamUsage: false }
  if (dialect.outputLimit === 'max_tokens' && said.includes('max_completion_tokens'))
    return { ...dialect, outputLimit: 'max_completion_tokens' }
  if (dialect.outputLimit === 'max_completion_tokens' && said.includes('max_completion_tokens'))
    return { ...dialect, outputLimit: 'max_tokens' }
  return undefined
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.hostname ?? ''
}
