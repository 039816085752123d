import { ModelError } from '@palimpsest/core'
import { checkKeys, checkLimits, refuseOption, withoutRedirects } from '@palimpsest/provider-utils'
import type { OpenAI } from 'openai'
import { type Dialect, dialectOf, isOpenAi } from './dialect.ts'
import { OPENAI_DEFAULTS, type OpenAiOptions } from './options.ts'

export interface OpenAiSettings {
  readonly model: string
  readonly server: string
  readonly timeoutMs: number
  readonly contextLength?: number
  readonly client: ClientSource
  readonly wording: { dialect: Dialect }
}

const optionKeys = [
  'model',
  'apiKey',
  'baseUrl',
  'fetch',
  'contextLength',
  'maxRetries',
  'timeoutMs',
  'client',
]

export function resolveOptions(options: OpenAiOptions): OpenAiSettings {
  checkKeys(options, optionKeys)
  const { model, client, contextLength } = options
  const { maxRetries = OPENAI_DEFAULTS.maxRetries, timeoutMs = OPENAI_DEFAULTS.timeoutMs } = options
  if (typeof model !== 'string' || model.trim() === '')
    refuseOption('model', 'model must be the name of a model, such as "gpt-5-mini"')
  if (client !== undefined) {
    for (const key of ['apiKey', 'baseUrl', 'maxRetries', 'fetch'] as const)
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
    client: clientSource({ client, apiKey, baseUrl, maxRetries, timeoutMs, fetch: options.fetch }),
    wording: { dialect: dialectOf(baseUrl) },
  }
}

function serverOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`
}

interface ClientSource {
  readonly get: () => Promise<OpenAI>
  readonly secrets: readonly string[]
  readonly hasKey: boolean
}

interface ClientSettings {
  readonly client: OpenAI | undefined
  readonly apiKey: string
  readonly baseUrl: string
  readonly maxRetries: number
  readonly timeoutMs: number
  readonly fetch: typeof fetch | undefined
}

/** The SDK always sends a key; servers that need none ignore it. */
const noKey = 'no-key'

/** An own client is built on first use: an application that offers several providers may never need it. */
function clientSource(settings: ClientSettings): ClientSource {
  const { client, apiKey } = settings
  if (client !== undefined)
    return {
      get: async () => client,
      // Read on demand: a client that fetches its keys may change them.
      get secrets() {
        return typeof client.apiKey === 'string' ? [client.apiKey] : []
      },
      hasKey: true,
    }
  let loading: Promise<OpenAI> | undefined
  return {
    get: () => {
      loading ??= loadClient(settings)
      return loading
    },
    secrets: apiKey === '' ? [] : [apiKey],
    hasKey: apiKey !== '',
  }
}

async function loadClient(settings: ClientSettings): Promise<OpenAI> {
  const { apiKey, baseUrl, maxRetries, timeoutMs, fetch } = settings
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new ModelError('unknown', 'OpenAI-compatible models need the package openai; install it', { cause })
  })
  const key = apiKey === '' ? noKey : apiKey
  return new OpenAI({
    apiKey: key,
    baseURL: baseUrl,
    maxRetries,
    timeout: timeoutMs,
    fetch: withoutRedirects(fetch),
    // The SDK would take these from the environment and send OpenAI's names to any server.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...headersOfEnvironment(), Authorization: `Bearer ${key}` },
    // The SDK must not write into a terminal that shows a chat.
    logLevel: 'off',
  })
}

/** Null removes a header that the SDK adds from the environment. */
function headersOfEnvironment(): Record<string, null> {
  const lines = (process.env.OPENAI_CUSTOM_HEADERS ?? '').split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), null]))
}
