import { ModelError } from '@palimpsest/core'
import type { OpenAI } from 'openai'

/** The client of one model, and what must never be read in its errors. */
export interface ClientSource {
  /** Loads the SDK on the first call. */
  readonly get: () => Promise<OpenAI>
  readonly secrets: readonly string[]
  /** False when requests go out without a key. */
  readonly hasKey: boolean
}

/** The settings of a client. */
export interface ClientSettings {
  /** A client that was passed in; the rest is not used then. */
  readonly client: OpenAI | undefined
  /** Empty for a server that wants none. */
  readonly apiKey: string
  readonly baseUrl: string
  readonly maxRetries: number
  /** Milliseconds for one request. */
  readonly timeoutMs: number
}

/** Sent where there is no key, because the SDK always sends one. Servers that want none do not look at it. */
const noKey = 'no-key'

/**
 * The client that was passed in, or one that is built when it is first needed: an application that offers several
 * providers may never use this one.
 */
export function clientSource(settings: ClientSettings): ClientSource {
  const { client, apiKey } = settings
  if (client !== undefined)
    return {
      get: async () => client,
      // Read when it is needed: a client that fetches its keys has another one later.
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

async function loadClient({ apiKey, baseUrl, maxRetries, timeoutMs }: ClientSettings): Promise<OpenAI> {
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new ModelError('unknown', 'OpenAI-compatible models need the package openai; install it', { cause })
  })
  const key = apiKey === '' ? noKey : apiKey
  return new OpenAI({
    apiKey: key,
    baseURL: baseUrl,
    maxRetries,
    timeout: timeoutMs,
    // The SDK would take these from the environment, and send OpenAI's names to any server.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { ...headersOfEnvironment(), Authorization: `Bearer ${key}` },
    // Errors are told by rejecting; a terminal that shows a chat is not the place for the SDK's own lines.
    logLevel: 'off',
  })
}

/** The headers that the SDK adds from the environment, each as the null that takes it out again. */
function headersOfEnvironment(): Record<string, null> {
  const lines = (process.env.OPENAI_CUSTOM_HEADERS ?? '').split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), null]))
}
