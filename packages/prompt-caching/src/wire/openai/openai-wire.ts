import { createHash } from 'node:crypto'
import type { CacheAnchor, CacheRepair } from '@palimpsest/core'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { createMessagesWire } from '../openai-messages/create-messages-wire.ts'
import type { MessagesRequest } from '../openai-messages/messages-request.ts'

/** OpenAI's options for caching a request, from gpt-5.6 on. */
export interface PromptCacheOptions {
  /** `explicit`: only marked beginnings are cached. Default `implicit`. */
  readonly mode?: 'implicit' | 'explicit'
  readonly ttl?: '30m'
}

/**
 * A request to OpenAI's Chat Completions, as far as caching depends on it: a `ChatCompletionCreateParams` of its SDK,
 * or the messages and tools of a session. Members that are not named here are kept.
 */
export interface OpenAIRequest extends MessagesRequest {
  readonly prompt_cache_key?: string | null
  readonly prompt_cache_options?: PromptCacheOptions
}

/** Options that were written for breakpoints, and what stood in their place. */
const replaced = new WeakMap<object, { readonly before: PromptCacheOptions | undefined }>()

/** The request with the mode that caches exactly what is marked; options of the caller's keep their other members. */
function withExplicitMode(request: OpenAIRequest): OpenAIRequest {
  const before = request.prompt_cache_options
  const options = { ...before, mode: 'explicit' as const }
  replaced.set(options, { before })
  return { ...request, prompt_cache_options: options }
}

/**
 * The request with the options that the caller gave it. They are known by identity: of a copy whose breakpoints were
 * taken out only the bare mode goes, because without breakpoints it means that nothing at all is cached.
 */
function withCallersMode(request: OpenAIRequest, wasMarked: boolean): OpenAIRequest {
  const { prompt_cache_options: options, ...rest } = request
  const found = options && replaced.get(options)
  if (found !== undefined)
    return found.before === undefined ? rest : { ...request, prompt_cache_options: found.before }
  return wasMarked && options?.mode === 'explicit' && Object.keys(options).length === 1 ? rest : request
}

/**
 * Requests to OpenAI's Chat Completions, with explicit breakpoints. A request that gets one also gets
 * `prompt_cache_options.mode: 'explicit'`. The lifetime is the request's default, the only one: see
 * `checkOpenAIAnchors`. An assistant's parts do not carry: the SDK's types allow it, and OpenAI lists input parts
 * only.
 */
export const openaiWire: CacheWire<OpenAIRequest> = createMessagesWire<OpenAIRequest>({
  carriage: {
    name: 'openai',
    field: 'prompt_cache_breakpoint',
    marker: () => ({ mode: 'explicit' }),
    roles: new Set(['system', 'developer', 'user', 'tool']),
    parts: new Set(['text', 'image_url', 'input_audio', 'file']),
    onMessage: false,
    onTools: false,
  },
  settings: readSettings,
  onMarked: withExplicitMode,
  onStripped: withCallersMode,
})

/** Schemas of answers stand before the system prompt. The choice of a tool is no part of the prompt. */
function readSettings(request: OpenAIRequest): CacheSettings {
  const { response_format, web_search_options, verbosity, reasoning_effort } = request as OpenAIRequest & {
    readonly response_format?: unknown
    readonly web_search_options?: unknown
    readonly verbosity?: unknown
    readonly reasoning_effort?: unknown
  }
  return {
    ...(request.model !== undefined && { model: request.model }),
    beforeSystem: { response_format, web_search_options, verbosity },
    effort: reasoning_effort,
    ...request.settings,
  }
}

/**
 * The repairs that `openaiWire` makes in a plan. Chat Completions keep a beginning for 30 minutes; 12 hours are for the
 * Responses API only (openai 7.57: `prompt_cache_options.ttl`), so such a breakpoint is written with the lifetime there
 * is.
 */
export function checkOpenAIAnchors(anchors: readonly CacheAnchor[]): CacheRepair[] {
  if (!anchors.some(({ ttl }) => ttl === '12h')) return []
  return [
    {
      rule: 'openai-12h-needs-responses',
      message:
        'Chat Completions cache for 30 minutes: breakpoints of 12 hours were written as such of 30 minutes',
    },
  ]
}

/**
 * The key under which OpenAI groups the requests of a session, so that they reach the machine that has their
 * beginning: 32 hexadecimal digits of a hash, the same for the same session. It does not tell the session's id.
 */
export function promptCacheKey(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex').slice(0, 32)
}

/** The request with the key of its session; a key of the caller's stays. Breakpoints do not touch it. */
export function withPromptCacheKey<Request extends Pick<OpenAIRequest, 'prompt_cache_key'>>(
  request: Request,
  sessionId: string,
): Request {
  if (typeof request.prompt_cache_key === 'string') return request
  return { ...request, prompt_cache_key: promptCacheKey(sessionId) }
}
