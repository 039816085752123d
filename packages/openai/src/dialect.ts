import type { ApiFailure } from './api-failure.ts'

/** In what the servers of one wire format differ, as far as a request has to know. */
export interface Dialect {
  /**
   * The name of the output limit. OpenAI's reasoning models refuse `max_tokens`, which it calls deprecated
   * (https://platform.openai.com/docs/api-reference/chat/create); most other servers know no other name, and some
   * ignore what they do not know, so that the answer would have no limit.
   */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens'
  /** Whether a stream is asked for its token counts: they come only when `stream_options` says so. */
  readonly streamUsage: boolean
  /** Whether OpenAI's own rules hold: it knows the role `developer`, and refuses fields that it does not know. */
  readonly isOpenAi: boolean
  /**
   * Whether every answer must carry `reasoning_content`. DeepSeek refuses a conversation with tool calls in which one
   * lacks it, and takes an empty one (https://api-docs.deepseek.com/guides/thinking_mode#tool-calls): reasoning is
   * lost when a context is compacted, and other models' answers never had any.
   */
  readonly reasoningContent: boolean
}

/** True for OpenAI's own API, its regions included (https://platform.openai.com/docs/guides/your-data). */
export function isOpenAi(baseUrl: string): boolean {
  return /(?:^|\.)api\.openai\.com$/.test(hostOf(baseUrl))
}

/** The dialect to begin with. Azure serves OpenAI's models, with OpenAI's rules. */
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

/** Messages of servers that do not know or do not take a parameter. */
const refusal =
  /un(?:supported|known|recogni[sz]ed|expected)|not (?:supported|permitted|allowed)|extra_forbidden|instead/i

/** Messages of servers that miss one. */
const demand = /missing|required|passed back/i

/**
 * The dialect that a refusal asks for: no `stream_options`, the other name of the output limit, or reasoning in every
 * answer. Undefined when the request was refused for another reason.
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
