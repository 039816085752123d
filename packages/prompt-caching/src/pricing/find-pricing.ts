import { InvalidOptionError, markErrors, PalimpsestError } from '@palimpsest/core'
import { lazily } from '@palimpsest/core/options'
import type { CacheLifetime, CachePricing } from './cache-pricing.ts'
import anthropic from './data/anthropic.json' with { type: 'json' }
import deepseek from './data/deepseek.json' with { type: 'json' }
import gemini from './data/gemini.json' with { type: 'json' }
import openai from './data/openai.json' with { type: 'json' }
import qwen from './data/qwen.json' with { type: 'json' }
import { isModel, modelKey, readModelName } from './model-key.ts'
import { parsePricing } from './parse-pricing.ts'
import type { ModelRules, PricingData, ProviderData } from './pricing-data.ts'

/** There are no prices for a model. Code `UNKNOWN_MODEL`. */
export class UnknownModelError extends PalimpsestError {
  static override readonly isInstance = markErrors<UnknownModelError>(
    UnknownModelError,
    'prompt-caching.unknown-model',
  )

  readonly model: string
  /** Known models with a similar name, the nearest first. May be empty. */
  readonly nearest: readonly string[]

  constructor(model: string, nearest: readonly string[], message: string) {
    super('UNKNOWN_MODEL', message)
    this.model = model
    this.nearest = nearest
  }
}

export interface FindPricingInput {
  /** As a host names it: with a date (`claude-sonnet-4-5-20250929`), a provider, a region. */
  readonly model: string
  /** The provider. It is the route when `route` is absent and a route has that name. */
  readonly provider?: string
  /**
   * The route of requests: `anthropic`, `bedrock`, `vertex`, `openrouter`, `litellm`, `openai`, `responses`,
   * `gemini`, `gemini-explicit`, `deepseek`, `qwen`, `qwen-explicit`. A route that the data does not know has what
   * holds on all routes. Default: that of the model's maker.
   */
  readonly route?: string
  /** Default: `pricingData()`. */
  readonly data?: PricingData
}

/**
 * Finds the rules and prices of a model's cache. A date or version behind a known name is the known model; another
 * number or word (`-pro`, `-mini`, `-6`) is another model, with other prices.
 *
 * @throws UnknownModelError that names the nearest known models; also for explicit caches of a model whose storage
 *   price is not known.
 * @throws InvalidOptionError when `model` is no text.
 */
export function findPricing({
  model,
  provider,
  route,
  data = pricingData(),
}: FindPricingInput): CachePricing {
  if (typeof model !== 'string') throw new InvalidOptionError('model', 'model: expected the name of a model')
  const found = findModel(readModelName(model), data)
  if (found === undefined) throw unknownModel(model, data)
  const { file, rules } = found
  const family = file.families[rules.family]
  if (family === undefined) throw unknownModel(model, data)
  const routes = { ...family.routes, ...rules.routes }
  const taken = route ?? (provider !== undefined && Object.hasOwn(routes, provider) ? provider : file.route)
  // Own keys only: a route may be called `constructor`.
  const onRoute = Object.hasOwn(family.routes, taken) ? family.routes[taken] : {}
  const ofModelOnRoute = Object.hasOwn(rules.routes, taken) ? rules.routes[taken] : {}
  const merged = { ...family, ...rules, ...onRoute, ...ofModelOnRoute }
  const { input, output, storage, paysStorage = false, long, tiers = [], automaticMarker } = merged
  if (paysStorage && storage === undefined) throw unknownStorage(rules.id, file)
  const perHour = paysStorage && storage !== undefined && input > 0 ? storage / input : 0
  return {
    provider: file.provider,
    model: rules.id,
    asOf: rules.asOf ?? file.asOf,
    source: rules.source ?? file.source,
    matching: merged.matching,
    input,
    output,
    // Where input costs nothing, reading does too.
    read: input === 0 ? 1 : tidy(merged.cached / input),
    short: withStorage(merged.short, perHour),
    ...(long !== undefined && { long: withStorage(long, perHour) }),
    tiers: tiers.toSorted((a, b) => a.above - b.above),
    minimumTokens: merged.minimumTokens,
    maxBreakpoints: merged.maxBreakpoints,
    lookback: merged.lookback,
    sliding: merged.sliding,
    keepsThinking: merged.keepsThinking,
    bindsThinking: merged.bindsThinking,
    effortChangesAll: merged.effortChangesAll,
    ...(automaticMarker !== undefined && { automaticMarker }),
  }
}

/** The model with the longest name that fits. */
function findModel(names: readonly string[], data: PricingData) {
  let best: { file: ProviderData; rules: ModelRules } | undefined
  for (const file of data) {
    for (const rules of file.models) {
      const key = modelKey(rules.id)
      const isLonger = best === undefined || rules.id.length > best.rules.id.length
      if (isLonger && names.some((name) => isModel(name, key))) best = { file, rules }
    }
  }
  return best
}

/** `write` of the data is without the hours for which an entry is kept. */
function withStorage(lifetime: CacheLifetime, perHour: number): CacheLifetime {
  return { ...lifetime, write: tidy(lifetime.write + (perHour * lifetime.seconds) / 3600) }
}

/** 0.01 / 0.1 is 0.1, and not 0.09999999999999999. */
function tidy(ratio: number): number {
  return Number(ratio.toPrecision(12))
}

function unknownModel(model: string, data: PricingData): UnknownModelError {
  const ids = data.flatMap(({ models }) => models.map(({ id }) => id))
  const nearest = nearestModels(readModelName(model).at(-1) ?? '', ids)
  const shown = JSON.stringify(model.length <= 80 ? model : `${model.slice(0, 80)}…`)
  const known =
    nearest.length > 0
      ? `the nearest that are known: ${nearest.join(', ')}`
      : `there are prices for models of ${data.map(({ provider }) => provider).join(', ')}`
  return new UnknownModelError(model, nearest, `no prices are known for the model ${shown}; ${known}`)
}

function unknownStorage(model: string, { models }: ProviderData): UnknownModelError {
  const nearest = models.filter(({ storage }) => storage !== undefined).map(({ id }) => id)
  const message = `the price of keeping an explicit cache is not known for ${model}; it is for ${nearest.join(', ')}`
  return new UnknownModelError(model, nearest, message)
}

const MAX_SHOWN = 3

/**
 * Known models that a name was probably meant to be, the nearest first: those that share most parts with it, and
 * among these those that begin alike. When none shares two parts: those that begin with the same one.
 */
function nearestModels(name: string, ids: readonly string[]): readonly string[] {
  const parts = partsOf(name)
  const near = ids.map((id) => {
    const own = partsOf(id)
    const shared = own.filter((part) => parts.includes(part)).length
    return { id, shared, isNear: shared >= Math.min(2, own.length), alike: sameStart(own, parts) }
  })
  const nearest = near.filter(({ isNear }) => isNear)
  return (nearest.length > 0 ? nearest : near.filter(({ alike }) => alike > 0))
    .sort((a, b) => b.shared - a.shared || b.alike - a.alike || a.id.length - b.id.length)
    .slice(0, MAX_SHOWN)
    .map(({ id }) => id)
}

function partsOf(name: string): string[] {
  return name.split(/[^a-z\d]+/).filter((part) => part !== '')
}

function sameStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((part, index) => part !== b[index])
  return end === -1 ? a.length : end
}

/** The prices of a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
export function knownPricing(model: string, data: PricingData = pricingData()): CachePricing | undefined {
  try {
    return findPricing({ model, data })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}

/** The models that this package knows, as of the day that each file and model names. */
export const pricingData: () => PricingData = lazily(() =>
  parsePricing([anthropic, openai, gemini, deepseek, qwen]),
)
