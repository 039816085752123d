import { createMessagesWire } from '../openai-messages/create-messages-wire.ts'
import type { CacheSettings, WireFormat } from '../wire-format.ts'
import { withCallersMode, withExplicitMode } from './cache-options.ts'
import type { OpenAIRequest } from './openai-request.ts'

/**
 * Requests to OpenAI's Chat Completions, with explicit breakpoints. A request that gets one also gets
 * `prompt_cache_options.mode: 'explicit'`; one without keeps what the caller chose. Lifetimes are left to the
 * request's default, the only one that there is: see `checkOpenAIAnchors`. An assistant's parts do not carry: the
 * SDK's types allow it, and OpenAI lists input parts only.
 */
export const openaiWire: WireFormat<OpenAIRequest> = createMessagesWire<OpenAIRequest>({
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
