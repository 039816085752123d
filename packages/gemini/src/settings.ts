import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai'
import { ModelError } from '@palimpsest/core'
import { checkKeys, checkLimits, refuseOption, withoutRedirects } from '@palimpsest/provider-utils'
// Separate from the options: users' declarations must not need the optional SDK.
import { GEMINI_DEFAULTS, type GeminiClient, type GeminiOptions, type GeminiThinking } from './options.ts'

export interface GeminiSettings {
  readonly model: string
  readonly timeoutMs: number
  readonly thinking: GeminiThinking
  readonly contextLength?: number
  readonly client: ClientSource
}

const optionKeys = ['model', 'apiKey', 'client', 'baseUrl', 'fetch', 'contextLength', 'timeoutMs', 'thinking']
const thinkingKeys = ['budgetTokens', 'level', 'summaries']
const levels = new Set(['minimal', 'low', 'medium', 'high'])

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

interface ClientSource {
  readonly get: () => Promise<GoogleGenAI>
  readonly secrets: readonly string[]
}

/**
 * An own client is built on first use: the SDK takes a tenth of a second and 30 MB to load, and an application that
 * offers several providers may never need it.
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
  // All four are set, because the SDK takes missing ones from the environment.
  const settings: GoogleGenAIOptions = {
    vertexai: false,
    apiVersion: GEMINI_DEFAULTS.apiVersion,
    httpOptions: {
      baseUrl: options.baseUrl ?? GEMINI_DEFAULTS.baseUrl,
      fetch: withoutRedirects(options.fetch),
    },
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
  }
  return new GoogleGenAI(settings)
}

function keyOf(client: GeminiClient): readonly string[] {
  const { apiKey } = client as { readonly apiKey?: unknown }
  return typeof apiKey === 'string' ? [apiKey] : []
}
