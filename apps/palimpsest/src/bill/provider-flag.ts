import {
  type CachePricing,
  findPricing,
  knownPricing,
  PRICING_DATA,
  type PricingData,
  UnknownModelError,
} from '@palimpsest/prompt-caching'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'

/** Has the prices when neither the flags nor the recording name a provider. */
export const USUAL_PROVIDER = 'anthropic'

/** The model of each provider whose prices a bill has by default: the one that agents use most there. */
const USUAL_MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.2-sol',
  gemini: 'gemini-3-flash-preview',
  deepseek: 'deepseek-v4.1-flash',
  qwen: 'qwen3.8-max',
}

/**
 * The profile that `--provider` names: `<provider>`, for its first model in the user's own data or else its usual one,
 * or `<provider>:<model>`.
 *
 * @throws UsageError for a provider that is not known, and for a model that is not one of it.
 */
export function flagProfile(flag: string, own: PricingData): CachePricing {
  const colon = flag.indexOf(':')
  const name = (colon === -1 ? flag : flag.slice(0, colon)).trim().toLowerCase()
  const data = [...own, ...PRICING_DATA]
  const isOfProvider = ({ provider }: PricingData[number]) => provider.toLowerCase() === name
  const files = data.filter(isOfProvider)
  if (files.length === 0) {
    const known = [...new Set(data.map(({ provider }) => provider))].join(', ')
    throw wrong(`no prices are known for "${name}"; known are ${known}`)
  }
  const model = colon === -1 ? usualModel(name, own.find(isOfProvider)) : flag.slice(colon + 1).trim()
  if (model === '') throw wrong(`name a model behind "${name}:", or leave the colon out for the usual one`)
  try {
    return findPricing({ model, data: files })
  } catch (error) {
    if (!UnknownModelError.isInstance(error)) throw error
    const other = knownPricing(model, data)
    if (other === undefined) throw wrong(error.message, error)
    throw wrong(`${other.model} is a model of ${other.provider}; write ${other.provider}:${model}`, error)
  }
}

function usualModel(provider: string, own: PricingData[number] | undefined): string {
  return own?.models[0]?.id ?? USUAL_MODELS[provider] ?? ''
}

function wrong(why: string, cause?: unknown): UsageError {
  return new UsageError(printable(`--provider: ${why}`), { cause })
}
