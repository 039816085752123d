import type { MessagesRequest } from '../openai-messages/messages-request.ts'

/** How OpenAI caches a request; from gpt-5.6 on. */
export interface PromptCacheOptions {
  /** `explicit`: only marked beginnings are cached. Default `implicit`. */
  readonly mode?: 'implicit' | 'explicit'
  readonly ttl?: '30m'
}

/**
 * What matters for caching of a request to OpenAI's Chat Completions: a `ChatCompletionCreateParams` of its SDK, or the
 * messages and tools of a session. Members that are not named here are kept.
 */
export interface OpenAIRequest extends MessagesRequest {
  readonly prompt_cache_key?: string | null
  readonly prompt_cache_options?: PromptCacheOptions
}
