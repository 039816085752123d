import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai'
import { ModelError } from '@palimpsest/core'
import { checkKeys, checkLimits, refuseOption } from '@palimpsest/provider-utils'

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

/** Options after the check, with the defaults filled in. */
export interface GeminiSettings {
  readonly model: string
  readonly timeoutMs: number
  readonly thinking: GeminiThinking
  readonly contextLength?: number
  /** Where the client comes from. */
  readonly client: ClientSource
}

const optionKeys = ['model', 'apiKey', 'client', 'baseUrl', 'fetch', 'contextLength', 'timeoutMs', 'thinking']
const thinkingKeys = ['budgetTokens', 'level', 'summaries']
const levels = new Set(['minimal', 'low', 'medium', 'high'])

/**
 * Checks the options. Throws `InvalidOptionError` for an unknown or wrong one, and a `ModelError` of kind `auth`
 * when there is neither a key nor a client.
 */
export function resolveOptions(options: GeminiOptions): GeminiSettings {
  checkKeys(options, optionKeys)
  const { model, client, contextLength, timeoutMs = GEMINI_DEFAULTS.timeoutMs, thinking = {} } = options
  if (typeof model !== 'string' || model.trim() === '')
    refuseOption('model', 'model must be the name of a Gemini model, such as "gemini-2.5-flash"')
  if (client !== undefined) {
    for (const key of ['apiKey', 'baseUrl', 'fetch'] as const)
      if (options[key] !== undefined)
        refuseOption(key, `${key} has no effect beside client; set it on the client`)
  }
  if (options.baseUrl !== undefined && !/^https?:$/.test(URL.parse(options.baseUrl)?.protocol ?? ''))
    refuseOption('baseUrl', 'baseUrl must be an http or https address without the API version')
  checkLimits({ contextLength, timeoutMs })
  checkThinking(thinking)

  const apiKey = typeof options.apiKey === 'string' ? options.apiKey.trim() : ''
  if (client === undefined && apiKey === '')
    throw new ModelError(
      'auth',
      'there is no key for Gemini: pass apiKey (applications usually read it from GEMINI_API_KEY) or a client',
    )
  return {
    model: model.trim(),
    timeoutMs,
    thinking,
    ...(contextLength === undefined ? {} : { contextLength }),
    client: clientSource({ ...options, apiKey }),
  }
}

function checkThinking(thinking: GeminiThinking): void {
  checkKeys(thinking, thinkingKeys, 'thinking.')
  const { budgetTokens, level } = thinking
  if (budgetTokens !== undefined && level !== undefined)
    refuseOption(
      'thinking',
      'thinking takes budgetTokens (Gemini 2.5) or level (Gemini 3 and later), not both',
    )
  if (budgetTokens !== undefined && (!Number.isInteger(budgetTokens) || budgetTokens < -1))
    refuseOption(
      'thinking.budgetTokens',
      'thinking.budgetTokens must be a whole number of tokens, 0 for none or -1',
    )
  if (level !== undefined && !levels.has(level))
    refuseOption('thinking.level', `thinking.level must be one of ${[...levels].join(', ')}`)
}

/** The client of one model, and what must never be read in its errors. */
interface ClientSource {
  /** Loads the SDK on the first call. */
  readonly get: () => Promise<GoogleGenAI>
  readonly secrets: readonly string[]
}

/**
 * The client that was passed in, or one that is built when it is first needed. The SDK takes a tenth of a second
 * and 30 MB to load, and an application that offers several providers may never use this one.
 */
function clientSource(options: GeminiOptions): ClientSource {
  const { client, apiKey } = options
  if (client !== undefined) return { get: async () => client as GoogleGenAI, secrets: keyOf(client) }
  let loading: Promise<GoogleGenAI> | undefined
  return {
    get: () => {
      loading ??= loadClient(options)
      return loading
    },
    secrets: apiKey === undefined ? [] : [apiKey],
  }
}

async function loadClient(options: GeminiOptions): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai').catch((cause: unknown) => {
    throw new ModelError('unknown', 'Gemini models need the package @google/genai; install it', { cause })
  })
  // All four are set, because the SDK takes what is missing from the environment.
  const settings: GoogleGenAIOptions = {
    vertexai: false,
    apiVersion: GEMINI_DEFAULTS.apiVersion,
    httpOptions: {
      baseUrl: options.baseUrl ?? GEMINI_DEFAULTS.baseUrl,
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    },
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
  }
  return new GoogleGenAI(settings)
}

/** The key of a client that was passed in: not public, but it must not appear in messages either. */
function keyOf(client: GeminiClient): readonly string[] {
  const { apiKey } = client as { readonly apiKey?: unknown }
  return typeof apiKey === 'string' ? [apiKey] : []
}
