import { UsageError } from '../usage-error.ts'
import { isProvider, PROVIDER_NAMES, PROVIDERS, type Provider, type ProviderName } from './providers.ts'

/** A model, and all that it takes to ask it. */
export interface ModelAccess {
  /** `custom`: an OpenAI-compatible address that no provider is known for. */
  readonly provider: ProviderName | 'custom'
  readonly model: string
  readonly apiKey?: string
  readonly baseUrl?: string
  /** The model's window, in tokens. Default: not known. */
  readonly contextLength?: number
  /** Milliseconds for a call. Default: that of the model's package. */
  readonly timeoutMs?: number
}

export interface ModelPlace {
  readonly baseUrl?: string | undefined
  readonly contextLength?: number | undefined
}

/**
 * Reads the name of a model: `<provider>:<model>`, or a bare name, which is one of Google's when it begins with `gemini-` and no
 * address is given, else one of OpenAI's API. A name may contain colons itself, as `qwen3:8b` does.
 *
 * @param option what named it, for errors.
 */
export function readModelName(
  text: string,
  { baseUrl }: ModelPlace,
  option: string,
): Pick<ModelAccess, 'model'> & { readonly provider: ProviderName } {
  const { provider, model } = splitProvider(text)
  if (model.trim() === '') throw new UsageError(`${option} "${text}" names no model`)
  if (provider !== undefined) return { provider, model }
  const isGoogles = baseUrl === undefined && model.startsWith('gemini-')
  return { provider: isGoogles ? 'gemini' : 'openai', model }
}

/** The known provider that a name begins with, if there is one, and the rest. */
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
  // Only fine-tuned models have a colon in their names at OpenAI itself.
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
    `"${model}" begins with no provider that is known: write ${known}, or name the address of a server with such a model`,
  )
}

/** The variable with a key that is missing; undefined where there is one, or the address may want none. */
export function missingKey({ provider, apiKey, baseUrl }: ModelAccess): string | undefined {
  if (apiKey !== undefined || provider === 'custom') return undefined
  const { key, baseUrl: own }: Provider = PROVIDERS[provider]
  // A server on this machine mostly wants none; Google's API cannot be asked without.
  return provider === 'gemini' || baseUrl === own ? key : undefined
}
