import { markErrors, PalimpsestError } from '@palimpsest/core'
import { closestName } from '@palimpsest/core/options'
import type { CachePricing } from './cache-pricing.ts'
import anthropic from './data/anthropic.json' with { type: 'json' }
import deepseek from './data/deepseek.json' with { type: 'json' }
import gemini from './data/gemini.json' with { type: 'json' }
import openai from './data/openai.json' with { type: 'json' }
import qwen from './data/qwen.json' with { type: 'json' }
import { isModel, modelKey, readModelName } from './model-key.ts'
import type { ProviderData } from './pricing-data.ts'

/** The model's prices are unknown. Code `UNKNOWN_MODEL`. */
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
  /** The model's name as hosts write it: perhaps with a date (`claude-sonnet-4-5-20250929`), a provider or a region. */
  readonly model: string
  /**
   * The route of requests: `anthropic`, `bedrock`, `vertex`, `openrouter`, `litellm`, `openai`, `gemini`, `deepseek`,
   * `qwen`, `qwen-explicit`. Unknown routes use the general rules. Default: the maker's own route.
   */
  readonly route?: string
}

/**
 * Finds the cache rules and prices of a model. A date or version after a known name is the same model; another number
 * or word (`-pro`, `-mini`, `-6`) is a different model.
 *
 * @throws UnknownModelError that names the closest known model, if any.
 */
export function findPricing({ model, route }: FindPricingInput): CachePricing {
  const found = findModel(readModelName(model))
  const family = found?.file.families[found.rules.family]
  if (found === undefined || family === undefined) throw unknownModel(model)
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
    // Free input also means free reading. Rounding avoids 0.09999999999999999 for 0.01 / 0.1.
    read: input === 0 ? 1 : Number((cached / input).toPrecision(12)),
    tiers: tiers.toSorted((a, b) => a.above - b.above),
    ...{ matching, input, output, short, ...(long && { long }), minimumTokens, maxBreakpoints, lookback },
  }
}

/** Own keys only: a route may be named `constructor`. */
function own<Rules>(routes: Readonly<Record<string, Rules>> | undefined, route: string): Rules | undefined {
  return routes !== undefined && Object.hasOwn(routes, route) ? routes[route] : undefined
}

function findModel(names: readonly string[]) {
  return PRICING_DATA.flatMap((file) => file.models.map((rules) => ({ file, rules })))
    .filter(({ rules }) => names.some((name) => isModel(name, modelKey(rules.id))))
    .sort((a, b) => b.rules.id.length - a.rules.id.length)[0]
}

function unknownModel(model: string): UnknownModelError {
  const ids = PRICING_DATA.flatMap(({ models }) => models.map(({ id }) => id))
  const nearest = closestName(readModelName(model).at(-1) ?? '', ids)
  const shown = JSON.stringify(model.length <= 80 ? model : `${model.slice(0, 80)}…`)
  const known =
    nearest === undefined
      ? `there are prices for models of ${PRICING_DATA.map(({ provider }) => provider).join(', ')}`
      : `the nearest that is known: ${nearest}`
  return new UnknownModelError(model, `no prices are known for the model ${shown}; ${known}`)
}

/** Like `findPricing`, also for names such as `gemini:<name>`; undefined if the prices are unknown. */
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

/** The known models and their prices, as dated in each file and model. */
export const PRICING_DATA = [anthropic, openai, gemini, deepseek, qwen] as readonly ProviderData[]
