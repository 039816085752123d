import {
  type CachePricing,
  findPricing,
  knownPricing,
  PRICING_DATA,
  UnknownModelError,
} from '@palimpsest/prompt-caching'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'

export interface BillPrices {
  readonly profile: CachePricing
  readonly note: string | null
}

const USUAL_PROVIDER = 'anthropic'

const USUAL_MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.2-sol',
  gemini: 'gemini-3-flash-preview',
  deepseek: 'deepseek-v4.1-flash',
  qwen: 'qwen3.8-max',
}

/**
 * Chooses the prices of a recording's bill: of the provider in `--provider`, else of the recorded model, else of
 * Anthropic's usual model.
 *
 * @param flag `<provider>`, for its usual model, or `<provider>:<model>`.
 */
export function billPrices(flag: string | undefined, recordedModel: string | undefined): BillPrices {
  const asked = flag === undefined ? knownPricing(recordedModel ?? '') : flagProfile(flag)
  if (asked !== undefined) return { profile: asked, note: null }
  const profile = flagProfile(USUAL_PROVIDER)
  const note = `${whyNot(recordedModel)}, so these are the prices of ${profile.model}; choose others with --provider`
  return { profile, note }
}

function whyNot(model: string | undefined): string {
  if (model === undefined) return 'the recording names no model'
  try {
    findPricing({ model })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return printable(`the recording: ${error.message}`)
    throw error
  }
  return 'the recording names another model'
}

function flagProfile(flag: string): CachePricing {
  const colon = flag.indexOf(':')
  const name = (colon === -1 ? flag : flag.slice(0, colon)).trim().toLowerCase()
  const providers = new Set(PRICING_DATA.map(({ provider }) => provider))
  if (!providers.has(name)) {
    const known = [...providers].join(', ')
    throw wrong(`no prices are known for "${name}"; known are ${known}`)
  }
  const model = colon === -1 ? (USUAL_MODELS[name] ?? '') : flag.slice(colon + 1).trim()
  if (model === '') throw wrong(`name a model behind "${name}:", or leave the colon out for the usual one`)
  const found = pricingOf(model)
  if (found.provider === name) return found
  throw wrong(`${found.model} is a model of ${found.provider}; write ${found.provider}:${model}`)
}

function pricingOf(model: string): CachePricing {
  try {
    return findPricing({ model })
  } catch (error) {
    throw UnknownModelError.isInstance(error) ? wrong(error.message, error) : error
  }
}

function wrong(why: string, cause?: unknown): UsageError {
  return new UsageError(printable(`--provider: ${why}`), { cause })
}
