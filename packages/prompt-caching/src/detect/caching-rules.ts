import { readModelName } from '../pricing/model-key.ts'

/** Which wire format carries the markers. `none`: no markers are written. */
export type CachingWire = 'anthropic' | 'openrouter' | 'litellm' | 'none'

export type EndpointKey =
  | 'anthropic'
  | 'bedrock'
  | 'vertex'
  | 'openrouter'
  | 'nous'
  | 'litellm'
  | 'openai'
  | 'gemini'
  | 'deepseek'
  | 'alibaba'
  | 'opencode'
  | 'minimax'

export interface Endpoint {
  readonly key: EndpointKey
  readonly title: string
  /** Names that hosts use for it as provider or route. */
  readonly names: readonly string[]
  /** Its hosts. Null: people run it themselves, anywhere. */
  readonly hosts: RegExp | null
}

export const ENDPOINTS: readonly Endpoint[] = [
  { key: 'anthropic', title: 'Anthropic', names: ['anthropic'], hosts: /^api\.anthropic\.com$/ },
  {
    key: 'bedrock',
    title: 'Amazon Bedrock',
    names: ['bedrock', 'amazon-bedrock', 'aws-bedrock'],
    hosts: /^bedrock[a-z-]*\..+\.amazonaws\.com$/,
  },
  {
    key: 'vertex',
    title: 'Vertex AI',
    names: ['vertex', 'vertex-ai', 'vertexai', 'google-vertex'],
    hosts: /(?:^|[-.])aiplatform\.googleapis\.com$/,
  },
  { key: 'openrouter', title: 'OpenRouter', names: ['openrouter'], hosts: /(?:^|\.)openrouter\.ai$/ },
  { key: 'nous', title: 'Nous', names: ['nous', 'nousresearch'], hosts: /(?:^|\.)nousresearch\.com$/ },
  { key: 'litellm', title: 'LiteLLM', names: ['litellm'], hosts: null },
  { key: 'openai', title: 'OpenAI', names: ['openai'], hosts: /(?:^|\.)api\.openai\.com$/ },
  {
    key: 'gemini',
    title: 'Gemini',
    names: ['gemini', 'google'],
    hosts: /^generativelanguage\.googleapis\.com$/,
  },
  { key: 'deepseek', title: 'DeepSeek', names: ['deepseek'], hosts: /^api\.deepseek\.com$/ },
  {
    key: 'alibaba',
    title: 'Alibaba Model Studio',
    names: ['alibaba', 'alibaba-coding-plan', 'dashscope', 'qwen', 'qwen-explicit'],
    hosts: /(?:^|\.)aliyuncs\.com$/,
  },
  {
    key: 'opencode',
    title: 'OpenCode',
    names: ['opencode', 'opencode-go', 'opencode-zen'],
    hosts: /(?:^|\.)opencode\.ai$/,
  },
  {
    key: 'minimax',
    title: 'MiniMax',
    names: ['minimax', 'minimax-cn'],
    hosts: /(?:^|\.)minimaxi?\.(?:io|com)$/,
  },
]

/** Beginnings of the names of models. Open models such as gpt-oss are served by others and do not count. */
const CLAUDE = /^claude-/
const GPT = /^(?:gpt-\d|o[134](?:-|$)|chatgpt-)/
const GEMINI = /^gemini-/
const DEEPSEEK = /^deepseek-/
export const QWEN = /^(?:qwen|qwq)/
const KIMI = /^kimi-/
const MINIMAX = /^minimax-/
const MINIMAX_M3 = /^minimax-m3/

/** The endpoint of a model's maker, or `bedrock` for a name in the style of Amazon Bedrock. */
export function makerOf(model: string): string | undefined {
  if (/(?:^|[/.])anthropic\./i.test(model)) return 'bedrock'
  return MAKERS.find(([names]) => matches(model, names))?.[1]
}

const MAKERS: readonly (readonly [RegExp, EndpointKey])[] = [
  [CLAUDE, 'anthropic'],
  [GPT, 'openai'],
  [GEMINI, 'gemini'],
  [DEEPSEEK, 'deepseek'],
  [QWEN, 'alibaba'],
  [MINIMAX, 'minimax'],
]

/** Whether a model is one of a family, whoever serves it. `names` matches the beginning of the bare name. */
export function matches(model: string, names: RegExp): boolean {
  return readModelName(model).some((name) => names.test(name))
}

/** One row of the table. All that it names must hold. */
export interface CachingRule {
  readonly models: RegExp
  readonly endpoints?: readonly EndpointKey[]
  /** Holds for requests in the shape of Anthropic's API only. */
  readonly speaksAnthropic?: true
  /** `automatic`: the provider caches by itself. */
  readonly wire: CachingWire | 'automatic'
  /** Route for `findPricing`. Default: the one that was given, else the key of the endpoint. */
  readonly pricingRoute?: string
  /** True where nothing longer than 5 minutes is known. */
  readonly isShortOnly?: true
  /** The reason, as one clause for people. */
  readonly reason: string
}

/** The model providers that cache by themselves, wherever their models are served. */
const AUTOMATIC = {
  wire: 'automatic',
  reason: 'the provider caches the beginning of prompts by itself',
} as const

/** Markers in Anthropic's own format, with the prices of a route. */
function native(endpoint: EndpointKey, title: string): CachingRule {
  const reason = `Claude on ${title} takes markers`
  return { models: CLAUDE, endpoints: [endpoint], wire: 'anthropic', pricingRoute: endpoint, reason }
}

/**
 * When caching applies: the first row that fits decides. What is not here is not marked, since a provider that does
 * not know markers may refuse the request. The rows for gateways and for Qwen, Kimi and MiniMax follow the policy of
 * Hermes Agent as of November 2026, but for its hour for Qwen at OpenCode Go: the price of writing is not known there.
 */
export const CACHING_RULES: readonly CachingRule[] = [
  native('anthropic', 'its own API'),
  native('bedrock', 'Amazon Bedrock'),
  native('vertex', 'Vertex AI'),
  {
    models: CLAUDE,
    speaksAnthropic: true,
    wire: 'anthropic',
    // No such route in the data: what holds everywhere, and not what Anthropic's own API alone does.
    pricingRoute: 'anthropic-wire',
    reason: 'the endpoint speaks the API of Claude',
  },
  {
    models: CLAUDE,
    endpoints: ['openrouter', 'nous'],
    wire: 'openrouter',
    pricingRoute: 'openrouter',
    reason: 'the gateway passes the markers of parts on to Claude',
  },
  {
    models: KIMI,
    endpoints: ['openrouter', 'nous'],
    wire: 'openrouter',
    isShortOnly: true,
    reason: 'the gateway passes the markers of parts on to Kimi',
  },
  {
    models: QWEN,
    endpoints: ['nous'],
    wire: 'openrouter',
    pricingRoute: 'qwen-explicit',
    isShortOnly: true,
    reason: 'Nous passes the markers of parts on to Qwen',
  },
  {
    models: CLAUDE,
    endpoints: ['litellm'],
    wire: 'litellm',
    pricingRoute: 'litellm',
    reason: 'LiteLLM passes markers on to Claude',
  },
  { models: MINIMAX_M3, wire: 'none', reason: 'MiniMax M3 takes no markers' },
  {
    models: MINIMAX,
    speaksAnthropic: true,
    wire: 'anthropic',
    isShortOnly: true,
    reason: 'MiniMax takes markers where it speaks the API of Claude',
  },
  {
    models: QWEN,
    endpoints: ['alibaba', 'opencode'],
    speaksAnthropic: true,
    wire: 'anthropic',
    pricingRoute: 'qwen-explicit',
    isShortOnly: true,
    reason: 'Qwen takes markers there',
  },
  {
    models: QWEN,
    endpoints: ['alibaba', 'opencode'],
    wire: 'openrouter',
    pricingRoute: 'qwen-explicit',
    isShortOnly: true,
    reason: 'Qwen takes markers on parts there',
  },
  { models: GPT, ...AUTOMATIC },
  { models: GEMINI, endpoints: ['gemini', 'vertex'], pricingRoute: 'gemini', ...AUTOMATIC },
  { models: GEMINI, ...AUTOMATIC },
  { models: DEEPSEEK, endpoints: ['deepseek', 'openrouter', 'nous', 'litellm'], ...AUTOMATIC },
  {
    models: CLAUDE,
    wire: 'none',
    reason:
      'it is not known whether this endpoint passes markers on to Claude; prompt_caching.route can tell',
  },
]
