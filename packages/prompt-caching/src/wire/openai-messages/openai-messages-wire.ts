import type { CacheWire } from '../cache-wire.ts'
import { cacheControl } from '../fit-anchors.ts'
import { createMessagesWire } from './create-messages-wire.ts'
import type { Carriage } from './message-pieces.ts'
import type { MessagesRequest } from './messages-request.ts'

export type { CustomTool, FunctionMessage, MessagesRequest } from './messages-request.ts'

/**
 * The receiver of the messages on their way to a model with markers (Claude, Qwen, Kimi).
 * - `native`: an adapter that makes requests of Anthropic's shape of them, such as `toAnthropicRequest`.
 * - `openrouter`: OpenRouter, and portals that hand through to it.
 * - `litellm`: LiteLLM, and proxies that copy content parts as they are.
 */
export type OpenAIMessagesRoute = 'native' | 'openrouter' | 'litellm'

const TURNS = ['system', 'developer', 'user', 'assistant'] as const

/**
 * The carriers of markers, by route. Gateways pass on the markers of texts; LiteLLM drops those of files (its pull
 * request 23883). A marker on a message of the role tool hangs at OpenRouter, and LiteLLM copies one on a part of it
 * to a place where Anthropic answers 400. Schemas of tools carry where the adapter is ours or the host's; everywhere
 * else a marker on the system prompt covers them.
 */
const ROUTES: Readonly<Record<OpenAIMessagesRoute, Omit<Carriage, 'name' | 'field' | 'marker'>>> = {
  native: {
    roles: new Set(TURNS),
    parts: new Set(['text', 'image_url', 'file']),
    onMessage: true,
    onTools: true,
  },
  openrouter: {
    roles: new Set([...TURNS, 'tool']),
    parts: new Set(['text']),
    onMessage: false,
    onTools: false,
  },
  litellm: { roles: new Set(TURNS), parts: new Set(['text']), onMessage: false, onTools: false },
}

const WIRES: Readonly<Record<OpenAIMessagesRoute, CacheWire<MessagesRequest>>> = {
  native: wireOf('native', 'openai-messages-native'),
  openrouter: wireOf('openrouter', 'openrouter'),
  litellm: wireOf('litellm', 'litellm'),
}

/**
 * OpenAI-shaped messages with `cache_control` markers, as a route takes them. On `litellm` neither results of tools nor
 * calls without text carry: the tail of an agent's loop is cached only from its next text on.
 */
export function openaiMessagesWire(route: OpenAIMessagesRoute): CacheWire<MessagesRequest> {
  return WIRES[route]
}

function wireOf(route: OpenAIMessagesRoute, name: string): CacheWire<MessagesRequest> {
  return createMessagesWire<MessagesRequest>({
    carriage: { ...ROUTES[route], name, field: 'cache_control', marker: cacheControl },
    settings: ({ model, settings }) => ({ ...(model !== undefined && { model }), ...settings }),
  })
}
