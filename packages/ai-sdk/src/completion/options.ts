import type { generateText } from 'ai'

/** Options of `createAiSdkCompletion`. */
export interface AiSdkCompletionOptions {
  /** The model's window in tokens, prompt and answer together. Unknown if absent: the AI SDK does not tell. */
  readonly contextLength?: number
  /** How often a call that may succeed later is repeated, with growing pauses. Default: `AI_SDK_DEFAULTS.maxRetries`. */
  readonly maxRetries?: number
  /** Milliseconds until a call that has not ended rejects with `MODEL_TIMEOUT`. Default: `AI_SDK_DEFAULTS.timeoutMs`. */
  readonly timeoutMs?: number
  /** What the AI SDK passes to the provider, such as how much a model may think. Default: nothing. */
  readonly providerOptions?: NonNullable<Parameters<typeof generateText>[0]['providerOptions']>
}

/** Every default of this package. */
export const AI_SDK_DEFAULTS = {
  /** Retries of a completion: those of the AI SDK itself. */
  maxRetries: 2,
  /** Milliseconds. As long as the other model packages wait. */
  timeoutMs: 600_000,
} as const
