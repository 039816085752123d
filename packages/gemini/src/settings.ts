import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai'
import { ModelError } from '@palimpsest/core'
import { checkKeys, checkLimits, refuseOption } from '@palimpsest/provider-utils'
// What users see is apart: its declarations must not need the SDK, which is optional.
import { GEMINI_DEFAULTS, type GeminiClient, type GeminiOptions, type GeminiThinking } from './options.ts'

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
