import { ModelError } from '@palimpsest/core'
import { checkKeys, checkLimits, refuseOption } from '@palimpsest/provider-utils'
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
  /** The wording of requests. Calls change it when the server turns out to want another. */
  readonly wording: { dialect: Dialect }
}

const optionKeys = ['model', 'apiKey', 'baseUrl', 'contextLength', 'maxRetries', 'timeoutMs', 'client']

/**
 * Checks the options. Throws `InvalidOptionError` for an unknown or wrong one, and a `ModelError` of kind `auth`
 * when there is neither a key nor a client for OpenAI itself.
 */
export function resolveOptions(options: OpenAiOptions): OpenAiSettings {
  checkKeys(options, optionKeys)
  const { model, client, contextLength } = options
  const { maxRetries = OPENAI_DEFAULTS.maxRetries, timeoutMs = OPENAI_DEFAULTS.timeoutMs } = options
  if (typeof model !== 'string' || model.trim() === '')
    refuseOption('model', 'model must be the name of a model, such as "gpt-5-mini"')
  if (client !== undefined) {
    for (const key of ['apiKey', 'baseUrl', 'maxRetries'] as const)
      if (options[key] !== undefined)
        refuseOption(key, `${key} has no effect beside client; set it on the client`)
  }
  const baseUrl = client?.baseURL ?? options.baseUrl ?? OPENAI_DEFAULTS.baseUrl
  if (typeof baseUrl !== 'string' || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    refuseOption(
      'baseUrl',
      'baseUrl must be an http or https address with the API version, which is mostly /v1',
    )
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0)
    refuseOption('maxRetries', 'maxRetries must be a whole number, 0 for none')
  checkLimits({ contextLength, timeoutMs })

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

function serverOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}
