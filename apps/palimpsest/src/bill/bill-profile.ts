import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import {
  type CachePricing,
  findPricing,
  knownPricing,
  PRICING_DATA,
  type PricingData,
  parsePricing,
  UnknownModelError,
} from '@palimpsest/prompt-caching'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'
import { flagProfile, USUAL_PROVIDER } from './provider-flag.ts'

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
  /** Whether the recording used this provider, so that its counts can be compared with the bill's. */
  readonly isRecorded: boolean
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
  const data = [...own, ...PRICING_DATA]
  const flagged = provider === undefined ? undefined : flagProfile(provider, own)
  const isOwn = (profile: CachePricing) =>
    own.some(
      ({ provider, models }) =>
        provider === profile.provider && models.some(({ id }) => id === profile.model),
    )
  const from = (profile: CachePricing) => (file !== undefined && isOwn(profile) ? file : null)

  return {
    choose(recordedModel) {
      if (flagged !== undefined) {
        const isRecorded = [data, PRICING_DATA].some(
          (of) => knownPricing(recordedModel ?? '', of)?.provider === flagged.provider,
        )
        return { profile: flagged, file: from(flagged), note: null, isRecorded }
      }
      const recorded = knownPricing(recordedModel ?? '', data)
      if (recorded !== undefined)
        return { profile: recorded, file: from(recorded), note: null, isRecorded: true }
      const [first] = own
      const profile = flagProfile(first?.provider ?? USUAL_PROVIDER, own)
      const note = `${whyNot(recordedModel, data)}; these are the prices of ${profile.model}, --provider names others`
      return { profile, file: from(profile), note, isRecorded: true }
    },
    known: (model) => knownPricing(model, data),
    unused({ profile }, summaryModel) {
      const summary = summaryModel === undefined ? undefined : knownPricing(summaryModel, data)
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
