import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import {
  type CachePricing,
  findPricing,
  knownPricing,
  type PricingData,
  parsePricing,
  pricingData,
  UnknownModelError,
} from '@palimpsest/prompt-caching'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'

export interface BillFlags {
  /** A provider, or one with a model as `<provider>:<model>`. */
  readonly provider?: string
  /** A file of prices, in the shape of those in `@palimpsest/prompt-caching`. They go before ours. */
  readonly prices?: string
}

export interface BillPrices {
  readonly profile: CachePricing
  /** The user's file that they come from; null when they are ours. */
  readonly file: string | null
  /** Why they are not those of the recording's model, unless others were asked for; null otherwise. */
  readonly note: string | null
}

/** The prices that a command knows. */
export interface PriceList {
  /** For a recording, with the model that it names, if it names one. */
  choose(recordedModel: string | undefined): BillPrices
  /** The profile of a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
  known(model: string): CachePricing | undefined
  /** A sentence when the user's file is of no use for the bill and for summaries; null when it is, or there is none. */
  unused(prices: BillPrices, summaryModel: string | undefined): string | null
}

/**
 * Reads what the flags name. A bill has the prices of the provider that they name, else those of the recording's model,
 * else those of the first model of the user's file, else those of the usual model at Anthropic.
 *
 * @throws UsageError for a provider or a model whose prices are not known, for a model of another provider, and for a
 *   file of prices with a fault.
 */
export async function openPriceList({ provider, prices: file }: BillFlags): Promise<PriceList> {
  const own = file === undefined ? [] : await readPrices(file)
  const data = [...own, ...pricingData()]
  const flagged = provider === undefined ? undefined : flagProfile(provider, own)
  const isOwn = (profile: CachePricing) =>
    own.some(
      ({ provider, models }) =>
        provider === profile.provider && models.some(({ id }) => id === profile.model),
    )
  const from = (profile: CachePricing) => (file !== undefined && isOwn(profile) ? file : null)

  return {
    choose(recordedModel) {
      const asked = flagged ?? knownPricing(recordedModel ?? '', { data })
      if (asked !== undefined) return { profile: asked, file: from(asked), note: null }
      const [first] = own
      const profile = flagProfile(first?.provider ?? USUAL_PROVIDER, own)
      const note = `${whyNot(recordedModel, data)}; these are the prices of ${profile.model}, --provider names others`
      return { profile, file: from(profile), note }
    },
    known: (model) => knownPricing(model, { data }),
    unused({ profile }, summaryModel) {
      const summary = summaryModel === undefined ? undefined : knownPricing(summaryModel, { data })
      if (file === undefined || isOwn(profile) || (summary !== undefined && isOwn(summary))) return null
      return `--prices: nothing of ${file} is used: the bill has the prices of ${profile.model}, which is not in it`
    },
  }
}

function whyNot(model: string | undefined, data: PricingData): string {
  if (model === undefined) return 'the recording names no model'
  try {
    findPricing({ model, data })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return printable(`the recording: ${error.message}`)
    throw error
  }
  return 'the recording names another model'
}

/**
 * Prices of the user's own. A byte order mark, which some editors write, is passed over.
 *
 * @throws UsageError when the file is not there, is no JSON, or has a fault, with its path in the file.
 */
async function readPrices(file: string): Promise<PricingData> {
  try {
    const text = await readFile(file, 'utf8')
    return parsePricing(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : errorText(error)
    throw new UsageError(`--prices: ${file} cannot be used: ${why}`, { cause: error })
  }
}

/** Has the prices when neither the flags nor the recording name a provider. */
const USUAL_PROVIDER = 'anthropic'

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
function flagProfile(flag: string, own: PricingData): CachePricing {
  const colon = flag.indexOf(':')
  const name = (colon === -1 ? flag : flag.slice(0, colon)).trim().toLowerCase()
  const data = [...own, ...pricingData()]
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
    const other = knownPricing(model, { data })
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
