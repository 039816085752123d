export interface Provider {
  readonly key: string
  readonly baseUrl?: string
  readonly summaries: { readonly model: string; readonly contextLength: number }
}

const GEMINI_FLASH_WINDOW = 1_048_576
const GPT_MINI_WINDOW = 400_000
const HAIKU_WINDOW = 200_000

export const PROVIDERS = {
  openrouter: {
    key: 'OPENROUTER_API_KEY',
    baseUrl: 'https://openrouter.ai/api/v1',
    summaries: { model: 'google/gemini-3-flash-preview', contextLength: GEMINI_FLASH_WINDOW },
  },
  nous: {
    key: 'NOUS_API_KEY',
    baseUrl: 'https://inference-api.nousresearch.com/v1',
    summaries: { model: 'google/gemini-3-flash-preview', contextLength: GEMINI_FLASH_WINDOW },
  },
  openai: {
    key: 'OPENAI_API_KEY',
    summaries: { model: 'gpt-5-mini', contextLength: GPT_MINI_WINDOW },
  },
  gemini: {
    key: 'GEMINI_API_KEY',
    summaries: { model: 'gemini-3-flash-preview', contextLength: GEMINI_FLASH_WINDOW },
  },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    baseUrl: 'https://api.anthropic.com/v1',
    summaries: { model: 'claude-haiku-4-5', contextLength: HAIKU_WINDOW },
  },
} as const satisfies Record<string, Provider>

export type ProviderName = keyof typeof PROVIDERS

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[]

export function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(PROVIDERS, name)
}
