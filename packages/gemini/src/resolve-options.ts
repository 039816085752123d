import { InvalidOptionError, ModelError } from '@palimpsest/core'
import { LONGEST_TIMEOUT_MS } from '@palimpsest/provider-utils'
import { type ClientSource, clientSource } from './client-source.ts'
import { GEMINI_DEFAULTS, type GeminiOptions, type GeminiThinking } from './options.ts'

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
    fail('model', 'model must be the name of a Gemini model, such as "gemini-2.5-flash"')
  if (client !== undefined) {
    for (const key of ['apiKey', 'baseUrl', 'fetch'] as const)
      if (options[key] !== undefined) fail(key, `${key} has no effect beside client; set it on the client`)
  }
  if (options.baseUrl !== undefined && !/^https?:$/.test(URL.parse(options.baseUrl)?.protocol ?? ''))
    fail('baseUrl', 'baseUrl must be an http or https address without the API version')
  if (contextLength !== undefined && !isPositive(contextLength))
    fail('contextLength', 'contextLength must be a positive number of tokens')
  if (!isPositive(timeoutMs) || timeoutMs > LONGEST_TIMEOUT_MS)
    fail('timeoutMs', `timeoutMs must be a number of milliseconds between 1 and ${LONGEST_TIMEOUT_MS}`)
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
    fail('thinking', 'thinking takes budgetTokens (Gemini 2.5) or level (Gemini 3 and later), not both')
  if (budgetTokens !== undefined && (!Number.isInteger(budgetTokens) || budgetTokens < -1))
    fail('thinking.budgetTokens', 'thinking.budgetTokens must be a whole number of tokens, 0 for none or -1')
  if (level !== undefined && !levels.has(level))
    fail('thinking.level', `thinking.level must be one of ${[...levels].join(', ')}`)
}

function checkKeys(options: object, known: readonly string[], prefix = ''): void {
  const wrong = Object.keys(options).find((key) => !known.includes(key))
  if (wrong !== undefined)
    fail(prefix + wrong, `there is no option "${prefix}${wrong}"; the options are ${known.join(', ')}`)
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function fail(path: string, message: string): never {
  throw new InvalidOptionError(path, message)
}
