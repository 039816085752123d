import { InvalidOptionError, ModelError } from '@palimpsest/core'
import { LONGEST_TIMEOUT_MS } from '@palimpsest/provider-utils'
import { type ClientSource, clientSource } from './client-source.ts'
import { type Dialect, dialectOf, isOpenAi } from './dialect.ts'
import { OPENAI_DEFAULTS, type OpenAiOptions } from './options.ts'

/** Options after the check, with the defaults filled in. */
export interface OpenAiSettings {
  readonly model: string
  /** Where it is, for people: the base URL without a user, a password or a query. */
  readonly server: string
  readonly timeoutMs: number
  readonly contextLength?: number
  /** Where the client comes from. */
  readonly client: ClientSource
  /** How requests are worded. Calls change it when the server turns out to want it otherwise. */
  readonly wording: { dialect: Dialect }
}

const optionKeys = ['model', 'apiKey', 'baseUrl', 'contextLength', 'maxRetries', 'timeoutMs', 'client']

/**
 * Checks the options. Throws `InvalidOptionError` for an unknown or wrong one, and a `ModelError` of kind `auth`
 * when there is neither a key nor a client for OpenAI itself.
 */
export function resolveOptions(options: OpenAiOptions): OpenAiSettings {
  checkKeys(options)
  const { model, client, contextLength } = options
  const { maxRetries = OPENAI_DEFAULTS.maxRetries, timeoutMs = OPENAI_DEFAULTS.timeoutMs } = options
  if (typeof model !== 'string' || model.trim() === '')
    fail('model', 'model must be the name of a model, such as "gpt-5-mini"')
  if (client !== undefined) {
    for (const key of ['apiKey', 'baseUrl', 'maxRetries'] as const)
      if (options[key] !== undefined) fail(key, `${key} has no effect beside client; set it on the client`)
  }
  const baseUrl = client?.baseURL ?? options.baseUrl ?? OPENAI_DEFAULTS.baseUrl
  if (typeof baseUrl !== 'string' || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    fail('baseUrl', 'baseUrl must be an http or https address with the API version, which is mostly /v1')
  if (contextLength !== undefined && !isPositive(contextLength))
    fail('contextLength', 'contextLength must be a positive number of tokens')
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0)
    fail('maxRetries', 'maxRetries must be a whole number, 0 for none')
  if (!isPositive(timeoutMs) || timeoutMs > LONGEST_TIMEOUT_MS)
    fail('timeoutMs', `timeoutMs must be a number of milliseconds between 1 and ${LONGEST_TIMEOUT_MS}`)

  const apiKey = typeof options.apiKey === 'string' ? options.apiKey.trim() : ''
  if (client === undefined && apiKey === '' && isOpenAi(baseUrl))
    throw new ModelError(
      'auth',
      'there is no key for OpenAI: pass apiKey (applications usually read it from OPENAI_API_KEY), or baseUrl for another server',
    )
  return {
    model: model.trim(),
    server: serverOf(baseUrl),
    timeoutMs,
    ...(contextLength === undefined ? {} : { contextLength }),
    client: clientSource({ client, apiKey, baseUrl, maxRetries, timeoutMs }),
    wording: { dialect: dialectOf(baseUrl) },
  }
}

function checkKeys(options: object): void {
  const wrong = Object.keys(options).find((key) => !optionKeys.includes(key))
  if (wrong !== undefined)
    fail(wrong, `there is no option "${wrong}"; the options are ${optionKeys.join(', ')}`)
}

function serverOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function fail(path: string, message: string): never {
  throw new InvalidOptionError(path, message)
}
