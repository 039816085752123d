/** The amount of thinking before an answer. Without it, the model decides. */
export interface GeminiThinking {
  /**
   * Tokens that may be spent on thinking, for Gemini 2.5. 0 turns thinking off where the model allows it, -1 lets
   * the model decide. Not together with `level`.
   */
  readonly budgetTokens?: number
  /** The effort of thinking, for Gemini 3 and later. Not together with `budgetTokens`. */
  readonly level?: 'minimal' | 'low' | 'medium' | 'high'
  /**
   * Whether the model's summary of its thoughts comes back. A chat keeps it in the message's
   * `providerData.gemini.reasoning`, never in the text. Default false.
   */
  readonly summaries?: boolean
}

/**
 * The members of a client that are called. `GoogleGenAI` of `@google/genai` has them; that package is optional, so the
 * types of this one do not name it.
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
  /** The API key. Required unless `client` is given. Nothing is read from the environment. */
  readonly apiKey?: string
  /**
   * A `GoogleGenAI` of your own, for Vertex AI, retries or another API version. Its settings win, so it excludes
   * `apiKey`, `baseUrl` and `fetch`.
   */
  readonly client?: GeminiClient
  /** Where the API is, without its version. Default: `GEMINI_DEFAULTS.baseUrl`. */
  readonly baseUrl?: string
  /** The function that sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: typeof fetch
  /** The model's window in tokens, prompt and answer together. Unknown if absent. */
  readonly contextLength?: number
  /** Milliseconds until a call that has not ended rejects with `MODEL_TIMEOUT`. Default: 600,000. */
  readonly timeoutMs?: number
  /** Default: the model decides. */
  readonly thinking?: GeminiThinking
}

/** Every default of this package. */
export const GEMINI_DEFAULTS = {
  /** The Gemini Developer API. */
  baseUrl: 'https://generativelanguage.googleapis.com',
  /**
   * The SDK's own default is `v1` since its version 3. `v1beta` serves the same calls, preview models too, and is
   * what gateways and local stand-ins implement.
   */
  apiVersion: 'v1beta',
  /** Milliseconds. The service itself ends a request that is not streamed after ten minutes. */
  timeoutMs: 600_000,
  /**
   * Tokens that are added to `maxOutputTokens` for thinking, which Gemini counts against the same limit: without
   * them a short limit is spent before the first word. 8,192 is the bound that Google documents for
   * models that decide for themselves (https://cloud.google.com/vertex-ai/generative-ai/docs/thinking).
   */
  thinkingAllowanceTokens: 8_192,
  /**
   * Tokens. The largest limit that every endpoint takes for Gemini 2.5 and later: some refuse 65,536. The allowance
   * never asks for more.
   */
  outputCeilingTokens: 65_535,
} as const
