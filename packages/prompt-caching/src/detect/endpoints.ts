export interface Endpoint {
  readonly key: EndpointKey
  readonly title: string
  /** Names that hosts use for it as provider or route. */
  readonly names: readonly string[]
  /** Its hosts. Null: people run it themselves, anywhere. */
  readonly hosts: RegExp | null
}

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
  { key: 'openai', title: 'OpenAI', names: ['openai', 'responses'], hosts: /(?:^|\.)api\.openai\.com$/ },
  {
    key: 'gemini',
    title: 'Gemini',
    names: ['gemini', 'gemini-explicit', 'google'],
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
