/** The amount of thinking before an answer. By default the model decides. */
export interface GeminiThinking {
  /**
   * Maximum tokens for thinking, for Gemini 2.5. 0 disables thinking if the model allows it; with -1 the model decides.
   * Excludes `level`.
   */
  readonly budgetTokens?: number
  /** The effort of thinking, for Gemini 3 and later. Excludes `budgetTokens`. */
  readonly level?: 'minimal' | 'low' | 'medium' | 'high'
  /**
   * Returns the model's summary of its thoughts. A chat keeps it in `providerData.gemini.reasoning`, never in the text.
   * Default false.
   */
  readonly summaries?: boolean
}

/**
 * The used methods of a client. `GoogleGenAI` of the optional package `@google/genai` has them; declaring them here
 * avoids a type dependency.
 */
export interface GeminiClient {
  readonly models: {
    generateContent(request: never): Promise<object>
    generateContentStream(request: never): Promise<AsyncIterable<object>>
  }
}

/** Options of `createGeminiCompletion` and `createGeminiChat`. */
export interface GeminiOptions {
  /** The model's name as Google writes it, such as `gemini-2.5-flash`. */
  readonly model: string
  /** The API key. Required unless `client` is given. The environment is not read. */
  readonly apiKey?: string
  /**
   * A `GoogleGenAI` of your own, for Vertex AI, retries or another API version. It excludes `apiKey`, `baseUrl` and
   * `fetch`.
   */
  readonly client?: GeminiClient
  /** The address of the API, without its version. Default: `GEMINI_DEFAULTS.baseUrl`. */
  readonly baseUrl?: string
  /** The function that sends requests. Default: the runtime's `fetch`. */
  readonly fetch?: typeof fetch
  /** The model's window in tokens, prompt and answer together. Default: unknown. */
  readonly contextLength?: number
  /** Time limit of a call in milliseconds, after which it rejects with `MODEL_TIMEOUT`. Default: 600,000. */
  readonly timeoutMs?: number
  /** Default: the model decides. */
  readonly thinking?: GeminiThinking
}

/** The defaults of this package. */
export const GEMINI_DEFAULTS = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  /**
   * The SDK's default is `v1` since its version 3. `v1beta` serves the same calls and preview models, and is the
   * version that gateways and local stand-ins implement.
   */
  apiVersion: 'v1beta',
  /** The time limit in milliseconds. The service itself ends a request without streaming after ten minutes. */
  timeoutMs: 600_000,
  /**
   * Tokens added to `maxOutputTokens` for thinking, which Gemini counts against the same limit: otherwise thinking
   * could use up a short limit. Google documents 8,192 as the bound for models that decide for themselves
   * (https://cloud.google.com/vertex-ai/generative-ai/docs/thinking).
   */
  thinkingAllowanceTokens: 8_192,
  /**
   * The largest limit, in tokens, that every endpoint accepts for Gemini 2.5 and later; some refuse 65,536. The
   * allowance never exceeds it.
   */
  outputCeilingTokens: 65_535,
} as const
