import { InvalidOptionError } from '@palimpsest/core'
import { lazily, parseOptions, z } from '@palimpsest/core/options'
import { modelKey } from './model-key.ts'

/** Prices are divided by that of input: what is this close to nothing would leave no number. */
const LEAST_INPUT = 1e-9

/** The shape of one file of price data. */
const fileSchema = lazily(() => {
  /** A price in US dollars for a million tokens. A dollar for a token, and more, is a mistake. */
  const price = z.number().nonnegative().max(1_000_000)
  /** A multiple of a price. */
  const multiple = z.number().max(1000)
  const text = z.string().min(1).max(2000)
  const name = z.string().min(1).max(100)
  const day = z.iso.date('expected a day as YYYY-MM-DD')

  const lifetime = z.strictObject({
    ttl: z.enum(['5m', '1h', '30m']),
    seconds: z.int().positive(),
    /** As a multiple of an uncached input token. */
    write: multiple.nonnegative(),
  })
  const rules = {
    matching: z.enum(['collapsed', 'per-block', 'exact', 'prefix']),
    minimumTokens: z.int().nonnegative(),
    maxBreakpoints: z.int().nonnegative().max(100),
    lookback: z.int().nonnegative().max(1000),
    short: lifetime,
  }
  const mayBeMissing = {
    long: lifetime.exactOptional(),
    tiers: z
      .array(z.strictObject({ above: z.int().positive(), factor: multiple.positive() }))
      .max(10)
      .exactOptional(),
    note: text.exactOptional(),
  }
  const changes = z.object(rules).exactPartial().extend(mayBeMissing).shape
  /** Differences on one route. */
  const route = z.strictObject({ ...changes, cached: price.exactOptional() })
  const routes = z.record(name, route).exactOptional()
  /** Rules that models share. */
  const family = z.strictObject({ ...rules, ...mayBeMissing, routes })
  const model = z.strictObject({
    ...changes,
    id: z
      .string()
      .regex(/^[a-z\d][a-z\d.-]{0,99}$/, 'expected a name in lower case, such as "claude-opus-5"'),
    family: name,
    /** 0 where tokens cost nothing; then `cached` is 0 too. */
    input: price.refine(
      (value) => value === 0 || value >= LEAST_INPUT,
      `expected 0, or at least ${LEAST_INPUT}`,
    ),
    output: price,
    /** The price of a token that is read from the cache. */
    cached: price,
    asOf: day.exactOptional(),
    source: text.exactOptional(),
    routes,
  })
  return z.strictObject({
    provider: name,
    asOf: day,
    source: text,
    unit: z.literal('US dollars for a million tokens'),
    notes: z.array(text).max(100).exactOptional(),
    /** The route of the provider itself. */
    route: name,
    families: z.record(name, family),
    models: z.array(model).min(1).max(10_000),
  })
})

/** The models of one provider: prices with their date and source, and the rules of its cache. */
export type ProviderData = z.output<ReturnType<typeof fileSchema>>

/** Checked data of `parsePricing`. No two models have the same id. */
export type PricingData = readonly ProviderData[]

/**
 * Checks price data: the content of one file, or a list of them. The files in `data/` show the shape.
 *
 * @throws InvalidOptionError that names the path in `json`, and what would be right: a price that is missing, negative
 *   or absurd, an invalid date, an unknown key, a missing family, a model that is listed twice.
 */
export function parsePricing(json: unknown): PricingData {
  const isList = Array.isArray(json)
  const files: readonly unknown[] = isList ? json : [json]
  const seen = new Map<string, string>()
  return files.map((file, index) => {
    const data = parseOptions(fileSchema(), file, isList ? `${index}` : '')
    for (const [number, model] of data.models.entries()) {
      const path = `${isList ? `${index}.` : ''}models.${number}`
      if (!Object.hasOwn(data.families, model.family)) {
        const known = Object.keys(data.families).join(', ')
        refuse(`${path}.family`, `there is no such family; families of this file: ${known}`)
      }
      const first = seen.get(modelKey(model.id))
      if (first !== undefined) refuse(`${path}.id`, `${model.id} is there already, at ${first}; keep one`)
      seen.set(modelKey(model.id), `${path}.id`)
      const cached = [model.cached, ...Object.values(model.routes ?? {}).map((route) => route.cached ?? 0)]
      if (model.input === 0 && cached.some((price) => price > 0))
        refuse(`${path}.cached`, 'expected 0, because input costs nothing')
    }
    return data
  })
}

function refuse(path: string, text: string): never {
  throw new InvalidOptionError(path, `${path}: ${text}`)
}
