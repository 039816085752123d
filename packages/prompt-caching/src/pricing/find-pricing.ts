import { InvalidOptionError, markErrors, PalimpsestError } from '@palimpsest/core'
import { closestName } from '@palimpsest/core/options'
import type { CachePricing } from './cache-pricing.ts'
import anthropic from './data/anthropic.json' with { type: 'json' }
import deepseek from './data/deepseek.json' with { type: 'json' }
import gemini from './data/gemini.json' with { type: 'json' }
import openai from './data/openai.json' with { type: 'json' }
import qwen from './data/qwen.json' with { type: 'json' }
import { isModel, modelKey, readModelName } from './model-key.ts'
import type { ProviderData } from './pricing-data.ts'

/** There are no prices for a model. Code `UNKNOWN_MODEL`. */
export class UnknownModelError extends PalimpsestError {
  static override readonly isInstance = markErrors<UnknownModelError>(
    UnknownModelError,
    'prompt-caching.unknown-model',
  )

  readonly model: string

  constructor(model: string, message: string) {
    super('UNKNOWN_MODEL', message)
    this.model = model
  }
}

export interface FindPricingInput {
  /** As a host names it: with a date (`claude-sonnet-4-5-20250929`), a provider, a region. */
  readonly model: string
  /**
   * The route of requests: `anthropic`, `bedrock`, `vertex`, `openrouter`, `litellm`, `openai`, `gemini`, `deepseek`,
   * `qwen`, `qwen-explicit`. A route that the data does not know has what holds on all routes. Default:
   * that of the model's maker.
   */
  readonly route?: string
  /** Default: `PRICING_DATA`. */
  readonly data?: readonly ProviderData[]
}

/**
 * Finds the rules and prices of a model's cache. A date or version behind a known name is the known model; another
 * number or word (`-pro`, `-mini`, `-6`) is another model, with other prices.
 *
 * @throws UnknownModelError that names the nearest known model, if one is near.
 * @throws InvalidOptionError when `model` is no text.
 */
export function findPricing({ model, route, data = PRICING_DATA }: FindPricingInput): CachePricing {
  if (typeof model !== 'string') throw new InvalidOptionError('model', 'model: expected the name of a model')
  const found = findModel(readModelName(model), data)
  const family = found?.file.families[found.rules.family]
  if (found === undefined || family === undefined) throw unknownModel(model, data)
  const { file, rules } = found
  const taken = route ?? file.route
  const merged = { ...family, ...rules, ...own(family.routes, taken), ...own(rules.routes, taken) }
  const { input, output, cached, matching, short, long, tiers = [] } = merged
  const { minimumTokens, maxBreakpoints, lookback } = merged
  return {
    provider: file.provider,
    model: rules.id,
    asOf: rules.asOf ?? file.asOf,
    source: rules.source ?? file.source,
    // Where input costs nothing, reading does too. 0.01 / 0.1 is 0.1, and not 0.09999999999999999.
    read: input === 0 ? 1 : Number((cached / input).toPrecision(12)),
    tiers: tiers.toSorted((a, b) => a.above - b.above),
    ...{ matching, input, output, short, ...(long && { long }), minimumTokens, maxBreakpoints, lookback },
  }
}

/** Own keys only: a route may be called `constructor`. */
function own<Rules>(routes: Readonly<Record<string, Rules>> | undefined, route: string): Rules | undefined {
  return routes !== undefined && Object.hasOwn(routes, route) ? routes[route] : undefined
}

/** The model with the longest name that fits. */
function findModel(names: readonly string[], data: readonly ProviderData[]) {
  return data
    .flatMap((file) => file.models.map((rules) => ({ file, rules })))
    .filter(({ rules }) => names.some((name) => isModel(name, modelKey(rules.id))))
    .sort((a, b) => b.rules.id.length - a.rules.id.length)[0]
}

function unknownModel(model: string, data: readonly ProviderData[]): UnknownModelError {
  const ids = data.flatMap(({ models }) => models.map(({ id }) => id))
  const nearest = closestName(readModelName(model).at(-1) ?? '', ids)
  const shown = JSON.stringify(model.length <= 80 ? model : `${model.slice(0, 80)}…`)
  const known =
    nearest === undefined
      ? `there are prices for models of ${data.map(({ provider }) => provider).join(', ')}`
      : `the nearest that is known: ${nearest}`
  return new UnknownModelError(model, `no prices are known for the model ${shown}; ${known}`)
}

/** `findPricing` for a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
export function knownPricing(
  model: string,
  where: Omit<FindPricingInput, 'model'> = {},
): CachePricing | undefined {
  try {
    return findPricing({ model, ...where })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}

/** The models that this package knows, as of the day that each file and model names. */
export const PRICING_DATA = [anthropic, openai, gemini, deepseek, qwen] as readonly ProviderData[]
