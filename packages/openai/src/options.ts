import type { OpenAI } from 'openai'

/** Options of `createOpenAiCompletion` and `createOpenAiChat`. */
export interface OpenAiOptions {
  /** The model's name as its server writes it, such as `gpt-5-mini` or `qwen3:8b`. */
  readonly model: string
  /**
   * The API key. Required for OpenAI itself unless `client` is given; most local servers need none. The environment is
   * not read.
   */
  readonly apiKey?: string
  /** The base URL with its version, to which `/chat/completions` is appended. Default: `OPENAI_DEFAULTS.baseUrl`. */
  readonly baseUrl?: string
  /** The model's window in tokens, prompt and answer together. Default: unknown. */
  readonly contextLength?: number
  /** Number of retries by the SDK after a temporary failure. Default: 0. */
  readonly maxRetries?: number
  /**
   * Time limit of a call in milliseconds, including retries, after which it rejects with `MODEL_TIMEOUT`. Default:
   * 600,000.
   */
  readonly timeoutMs?: number
  /** The function that sends requests. Default: the runtime's `fetch`, which in Node waits for at most 300 s. */
  readonly fetch?: typeof fetch
  /** A client of your own, for other headers or Azure. It excludes `apiKey`, `baseUrl`, `maxRetries` and `fetch`. */
  readonly client?: OpenAI
}

/** The defaults of this package. */
export const OPENAI_DEFAULTS = {
  baseUrl: 'https://api.openai.com/v1',
  /** No retries: the caller decides, and an error says when to retry. */
  maxRetries: 0,
  /** The SDK's own limit for one request, in milliseconds. */
  timeoutMs: 600_000,
} as const
