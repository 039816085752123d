import type { Message, ToolSchema } from '@palimpsest/core'

/** The role that no current model produces. */
interface FunctionMessage {
  readonly role: 'function'
  readonly name: string
  readonly content: string | null
}

/** A tool that takes free text. */
interface CustomTool {
  readonly type: 'custom'
  readonly custom: {
    readonly name: string
    readonly description?: string
    readonly format?:
      | { readonly type: 'text' }
      | {
          readonly type: 'grammar'
          readonly grammar: { readonly definition: string; readonly syntax: 'lark' | 'regex' }
        }
  }
}

/** How OpenAI caches a request; from gpt-5.6 on. */
export interface PromptCacheOptions {
  /** `explicit`: only marked beginnings are cached. Default `implicit`. */
  readonly mode?: 'implicit' | 'explicit'
  readonly ttl?: '30m'
}

/**
 * What matters for caching of a request to OpenAI's Chat Completions. Assignable both ways to
 * `ChatCompletionCreateParams` of its SDK; members that are not named here are kept.
 */
export interface OpenAIRequest {
  readonly model: string
  readonly messages: (Message | FunctionMessage)[]
  readonly tools?: (ToolSchema | CustomTool)[]
  readonly prompt_cache_key?: string | null
  readonly prompt_cache_options?: PromptCacheOptions
}
