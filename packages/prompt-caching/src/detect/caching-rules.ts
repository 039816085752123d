import type { EndpointKey } from './endpoints.ts'
import { CLAUDE, DEEPSEEK, GEMINI, GPT, KIMI, MINIMAX, MINIMAX_M3, QWEN } from './model-maker.ts'

/**
 * Which wire format carries the markers, or the key of the cache. Where it is `anthropic`, a host whose messages have
 * OpenAI's shape until an adapter turns them into Anthropic's takes `openai-messages-native`.
 */
export type CachingWire =
  | 'anthropic'
  | 'openai-messages-native'
  | 'openrouter'
  | 'litellm'
  | 'openai'
  | 'gemini'
  | 'none'

/** One row of the table. All that it names must hold. */
export interface CachingRule {
  readonly id: string
  readonly models?: RegExp
  readonly endpoints?: readonly EndpointKey[]
  /** Holds for requests in the shape of Anthropic's API only. */
  readonly speaksAnthropic?: true
  /** Holds for this route only. */
  readonly route?: string
  /** `by-pricing`: markers where the model takes them, automatic elsewhere. */
  readonly kind: 'markers' | 'automatic' | 'none' | 'by-pricing'
  readonly wire: CachingWire
  /** Route for `findPricing`. Default: the one that was given, else the key of the endpoint. */
  readonly pricingRoute?: string
  /** True where nothing longer than 5 minutes is known. */
  readonly isShortOnly?: true
  /** The reason, as one clause for people. */
  readonly reason: string
}

/** The model providers that cache by themselves, wherever their models are served. */
const CACHES_ITSELF = 'the provider caches the beginning of prompts by itself'

/**
 * When caching applies: the first row that fits decides. What is not here is not marked, since a provider that does
 * not know markers may refuse the request. The rows for gateways and for Qwen, Kimi and MiniMax follow the policy of
 * Hermes Agent as of November 2026, but for its hour for Qwen at OpenCode Go: the price of writing is not known there.
 */
export const CACHING_RULES: readonly CachingRule[] = [
  {
    id: 'anthropic',
    models: CLAUDE,
    endpoints: ['anthropic'],
    kind: 'markers',
    wire: 'anthropic',
    pricingRoute: 'anthropic',
    reason: 'Claude at its maker takes markers',
  },
  {
    id: 'bedrock',
    models: CLAUDE,
    endpoints: ['bedrock'],
    kind: 'markers',
    wire: 'anthropic',
    pricingRoute: 'bedrock',
    reason: 'Claude on Amazon Bedrock takes markers',
  },
  {
    id: 'vertex',
    models: CLAUDE,
    endpoints: ['vertex'],
    kind: 'markers',
    wire: 'anthropic',
    pricingRoute: 'vertex',
    reason: 'Claude on Vertex AI takes markers',
  },
  {
    id: 'anthropic-wire',
    models: CLAUDE,
    speaksAnthropic: true,
    kind: 'markers',
    wire: 'anthropic',
    // No such route in the data: what holds everywhere, and not what Anthropic's own API alone does.
    pricingRoute: 'anthropic-wire',
    reason: 'the endpoint speaks the API of Claude',
  },
  {
    id: 'openrouter-claude',
    models: CLAUDE,
    endpoints: ['openrouter', 'nous'],
    kind: 'markers',
    wire: 'openrouter',
    pricingRoute: 'openrouter',
    reason: 'the gateway passes the markers of parts on to Claude',
  },
  {
    id: 'openrouter-kimi',
    models: KIMI,
    endpoints: ['openrouter', 'nous'],
    kind: 'markers',
    wire: 'openrouter',
    isShortOnly: true,
    reason: 'the gateway passes the markers of parts on to Kimi',
  },
  {
    id: 'nous-qwen',
    models: QWEN,
    endpoints: ['nous'],
    kind: 'markers',
    wire: 'openrouter',
    pricingRoute: 'qwen-explicit',
    isShortOnly: true,
    reason: 'Nous passes the markers of parts on to Qwen',
  },
  {
    id: 'litellm-claude',
    models: CLAUDE,
    endpoints: ['litellm'],
    kind: 'markers',
    wire: 'litellm',
    pricingRoute: 'litellm',
    reason: 'LiteLLM passes markers on to Claude',
  },
  {
    id: 'minimax-m3',
    models: MINIMAX_M3,
    kind: 'none',
    wire: 'none',
    reason: 'MiniMax M3 takes no markers',
  },
  {
    id: 'minimax',
    models: MINIMAX,
    speaksAnthropic: true,
    kind: 'markers',
    wire: 'anthropic',
    isShortOnly: true,
    reason: 'MiniMax takes markers where it speaks the API of Claude',
  },
  {
    id: 'qwen-anthropic-wire',
    models: QWEN,
    endpoints: ['alibaba', 'opencode'],
    speaksAnthropic: true,
    kind: 'markers',
    wire: 'anthropic',
    pricingRoute: 'qwen-explicit',
    isShortOnly: true,
    reason: 'Qwen takes markers there',
  },
  {
    id: 'qwen',
    models: QWEN,
    endpoints: ['alibaba', 'opencode'],
    kind: 'markers',
    wire: 'openrouter',
    pricingRoute: 'qwen-explicit',
    isShortOnly: true,
    reason: 'Qwen takes markers on parts there',
  },
  {
    id: 'openai',
    models: GPT,
    endpoints: ['openai'],
    kind: 'by-pricing',
    wire: 'openai',
    reason: 'models from GPT-5.6 on take breakpoints, older ones cache by themselves',
  },
  {
    id: 'gemini-explicit',
    models: GEMINI,
    route: 'gemini-explicit',
    kind: 'markers',
    wire: 'gemini',
    pricingRoute: 'gemini-explicit',
    reason: 'explicit caches were asked for',
  },
  {
    id: 'gemini',
    models: GEMINI,
    endpoints: ['gemini', 'vertex'],
    kind: 'automatic',
    wire: 'none',
    pricingRoute: 'gemini',
    reason: CACHES_ITSELF,
  },
  {
    id: 'deepseek',
    models: DEEPSEEK,
    endpoints: ['deepseek'],
    kind: 'automatic',
    wire: 'none',
    reason: CACHES_ITSELF,
  },
  { id: 'gpt-elsewhere', models: GPT, kind: 'automatic', wire: 'none', reason: CACHES_ITSELF },
  { id: 'gemini-elsewhere', models: GEMINI, kind: 'automatic', wire: 'none', reason: CACHES_ITSELF },
  {
    id: 'deepseek-gateway',
    models: DEEPSEEK,
    endpoints: ['openrouter', 'nous', 'litellm'],
    kind: 'automatic',
    wire: 'none',
    reason: CACHES_ITSELF,
  },
  {
    id: 'claude-elsewhere',
    models: CLAUDE,
    kind: 'none',
    wire: 'none',
    reason:
      'it is not known whether this endpoint passes markers on to Claude; prompt_caching.route can tell',
  },
]
