import type { OpenAI } from 'openai'

/** Options of `createOpenAiCompletion` and `createOpenAiChat`. */
export interface OpenAiOptions {
  /** The model's name as its server writes it, such as `gpt-5-mini` or `qwen3:8b`. */
  readonly model: string
  /**
   * The API key. Required for OpenAI itself unless `client` is given; servers on your own machine mostly want none.
   * Nothing is read from the environment.
   */
  readonly apiKey?: string
  /**
   * Where Chat Completions are, with the version: `/chat/completions` is appended. Default:
   * `OPENAI_DEFAULTS.baseUrl`.
   */
  readonly baseUrl?: string
  /** The model's window in tokens, prompt and answer together. Unknown if absent. */
  readonly contextLength?: number
  /** The number of the SDK's retries after a failure that may pass. Default: 0. */
  readonly maxRetries?: number
  /** Milliseconds until a call that has not ended, retries included, rejects with `MODEL_TIMEOUT`. Default: 600,000. */
  readonly timeoutMs?: number
  /** The function that sends the requests. Default: the `fetch` of the runtime, which in Node waits for 300 s at most. */
  readonly fetch?: typeof fetch
  /**
   * A client of your own, for other headers or Azure. Its settings win, so it excludes `apiKey`, `baseUrl`,
   * `maxRetries` and `fetch`.
   */
  readonly client?: OpenAI
}

/** Every default of this package. */
export const OPENAI_DEFAULTS = {
  /** OpenAI's own API. */
  baseUrl: 'https://api.openai.com/v1',
  /** The caller knows best whether an answer is worth waiting for, and an error says when to try again. */
  maxRetries: 0,
  /** Milliseconds. The SDK's own limit for one request. */
  timeoutMs: 600_000,
} as const
