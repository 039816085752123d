import { readModelName } from '../pricing/model-key.ts'

/** Which wire format carries the markers. `none`: no markers are written. */
export type CachingWire = 'anthropic' | 'openrouter' | 'litellm' | 'none'

export interface Endpoint {
  readonly key: string
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

const MAKERS: readonly (readonly [RegExp, string])[] = [
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
  readonly endpoints?: readonly string[]
  /** Holds for requests in the shape of Anthropic's API only. */
  readonly speaksAnthropic?: true
  /** `automatic`: the provider caches by itself. */
  readonly wire: CachingWire | 'automatic'
  /** Route for `findPricing`. Default: the key of the endpoint, else the one that was given. */
  readonly pricingRoute?: string
  /** True where nothing longer than 5 minutes is known. */
  readonly isShortOnly?: true
  /** Why there are no markers, as one clause for people. */
  readonly reason?: string
}

/** Qwen with markers. */
const EXPLICIT = { pricingRoute: 'qwen-explicit', isShortOnly: true } as const

/**
 * When caching applies: the first row that fits decides. What is not here is not marked, since a provider that does
 * not know markers may refuse the request. The rows for gateways and for Qwen, Kimi and MiniMax follow the policy of
 * Hermes Agent as of November 2026, but for its hour for Qwen at OpenCode Go: the price of writing is not known there.
 */
export const CACHING_RULES: readonly CachingRule[] = [
  { models: CLAUDE, endpoints: ['anthropic', 'bedrock', 'vertex'], wire: 'anthropic' },
  // No such route in the data: what holds everywhere, and not what Anthropic's own API alone does.
  { models: CLAUDE, speaksAnthropic: true, wire: 'anthropic', pricingRoute: 'anthropic-wire' },
  { models: CLAUDE, endpoints: ['openrouter', 'nous'], wire: 'openrouter', pricingRoute: 'openrouter' },
  { models: KIMI, endpoints: ['openrouter', 'nous'], wire: 'openrouter', isShortOnly: true },
  { models: QWEN, endpoints: ['nous'], wire: 'openrouter', ...EXPLICIT },
  { models: CLAUDE, endpoints: ['litellm'], wire: 'litellm' },
  { models: MINIMAX_M3, wire: 'none', reason: 'MiniMax M3 takes no markers' },
  { models: MINIMAX, speaksAnthropic: true, wire: 'anthropic', isShortOnly: true },
  { models: QWEN, endpoints: ['alibaba', 'opencode'], speaksAnthropic: true, wire: 'anthropic', ...EXPLICIT },
  { models: QWEN, endpoints: ['alibaba', 'opencode'], wire: 'openrouter', ...EXPLICIT },
  { models: GPT, wire: 'automatic' },
  { models: GEMINI, endpoints: ['gemini', 'vertex'], wire: 'automatic', pricingRoute: 'gemini' },
  { models: GEMINI, wire: 'automatic' },
  { models: DEEPSEEK, endpoints: ['deepseek', 'openrouter', 'nous', 'litellm'], wire: 'automatic' },
  {
    models: CLAUDE,
    wire: 'none',
    reason:
      'it is not known whether this endpoint passes markers on to Claude; prompt_caching.route can tell',
  },
]
