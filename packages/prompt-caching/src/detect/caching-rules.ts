import { readModelName } from '../pricing/model-key.ts'

export type CachingWire = 'anthropic' | 'openrouter' | 'litellm' | 'none'

export interface Endpoint {
  readonly key: string
  readonly title: string
  readonly names: readonly string[]
  /** Its hosts. Null for software that people host themselves. */
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

/** Prefixes of model names. Open models such as gpt-oss are served by others and do not count. */
const CLAUDE = /^claude-/
const GPT = /^(?:gpt-\d|o[134](?:-|$)|chatgpt-)/
const GEMINI = /^gemini-/
const DEEPSEEK = /^deepseek-/
const QWEN = /^(?:qwen|qwq)/
const KIMI = /^kimi-/
const MINIMAX = /^minimax-/
const MINIMAX_M3 = /^minimax-m3/

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

export function matches(model: string, names: RegExp): boolean {
  return readModelName(model).some((name) => names.test(name))
}

export interface CachingRule {
  readonly models: RegExp
  readonly endpoints?: readonly string[]
  readonly speaksAnthropic?: true
  readonly wire: CachingWire | 'automatic'
  /** Route for `findPricing`. Default: the endpoint's key, or else the given route. */
  readonly pricingRoute?: string
  readonly isShortOnly?: true
  readonly reason?: string
}

const EXPLICIT = { pricingRoute: 'qwen-explicit', isShortOnly: true } as const

/**
 * The first matching row decides if prompts are cached. Unknown endpoints get no markers, because a provider without
 * support may refuse the request. The rows for gateways, Qwen, Kimi and MiniMax follow Hermes Agent's policy of
 * November 2026, except for the long lifetime of Qwen at OpenCode Go, whose write price is unknown.
 */
export const CACHING_RULES: readonly CachingRule[] = [
  { models: CLAUDE, endpoints: ['anthropic', 'bedrock', 'vertex'], wire: 'anthropic' },
  // Not a route of the data, so it uses the general rules, without those of Anthropic's own API.
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
