import { UsageError } from '../usage-error.ts'
import { isProvider, PROVIDER_NAMES, PROVIDERS, type Provider, type ProviderName } from './providers.ts'

export interface ModelAccess {
  /** `custom`: an OpenAI-compatible address of no known provider. */
  readonly provider: ProviderName | 'custom'
  readonly model: string
  readonly apiKey?: string
  readonly baseUrl?: string
  readonly contextLength?: number
  readonly timeoutMs?: number
}

export interface ModelPlace {
  readonly baseUrl?: string | undefined
  readonly contextLength?: number | undefined
}

/**
 * Parses a model's name: `<provider>:<model>`, or a bare name, which is Google's if it starts with `gemini-` and no
 * address is given, else one of OpenAI's API. A name may contain colons, as in `qwen3:8b`.
 *
 * @param option The option's name, for errors.
 */
export function readModelName(
  text: string,
  { baseUrl }: ModelPlace,
  option: string,
): Pick<ModelAccess, 'model'> & { readonly provider: ProviderName } {
  const { provider, model } = splitProvider(text)
  if (model.trim() === '')
    throw new UsageError(`${option}: "${text}" does not name a model; write <provider>:<model>`)
  if (provider !== undefined) return { provider, model }
  const isGoogles = baseUrl === undefined && model.startsWith('gemini-')
  return { provider: isGoogles ? 'gemini' : 'openai', model }
}

export function splitProvider(text: string): { readonly provider?: ProviderName; readonly model: string } {
  const [, provider = '', model = ''] = /^([a-z]+):(.*)$/s.exec(text) ?? []
  return isProvider(provider) ? { provider, model } : { model: text }
}

export function accessTo(
  { provider, model }: { readonly provider: ProviderName; readonly model: string },
  { baseUrl, contextLength }: ModelPlace,
  environment: NodeJS.ProcessEnv,
): ModelAccess {
  const known: Provider = PROVIDERS[provider]
  const own = provider === 'openai' ? environment.OPENAI_BASE_URL || undefined : known.baseUrl
  const apiKey = environment[known.key] || undefined
  const address = baseUrl ?? own
  // At OpenAI itself, only fine-tuned models have a colon in their names.
  if (provider === 'openai' && address === undefined && /^(?!ft:)[a-z-]+:/.test(model))
    throw noProvider(model)
  return {
    provider,
    model,
    ...(apiKey !== undefined && { apiKey }),
    ...(address !== undefined && { baseUrl: address }),
    ...(contextLength !== undefined && { contextLength }),
  }
}

function noProvider(model: string): UsageError {
  const known = PROVIDER_NAMES.map((name) => `${name}:<name>`).join(', ')
  return new UsageError(
    `"${model}" does not start with a known provider: write ${known}, or name the address of a server with such a model`,
  )
}

export function missingKey({ provider, apiKey, baseUrl }: ModelAccess): string | undefined {
  if (apiKey !== undefined || provider === 'custom') return undefined
  const { key, baseUrl: own }: Provider = PROVIDERS[provider]
  // Most local servers need no key; Google's API always does.
  return provider === 'gemini' || baseUrl === own ? key : undefined
}
