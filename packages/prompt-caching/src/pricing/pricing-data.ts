import { lazily, z } from '@palimpsest/core/options'

/** Prices are divided by that of input: what is this close to nothing would leave no number. */
const LEAST_INPUT = 1e-9

/** The shapes of price data. */
export const pricingSchemas = lazily(() => {
  /** A price in US dollars for a million tokens. A dollar for a token, and more, is a mistake. */
  const price = z.number().nonnegative().max(1_000_000)
  /** A multiple of a price. */
  const multiple = z.number().max(1000)
  const tokens = z.int().nonnegative()
  const text = z.string().min(1).max(2000)
  const name = z.string().min(1).max(100)

  const lifetime = z.strictObject({
    ttl: z.enum(['5m', '1h', '30m', '12h']),
    seconds: z.int().positive(),
    /** As a multiple of an uncached input token. */
    write: multiple.nonnegative(),
    /** True where the provider promises no lifetime and this one is assumed. */
    assumed: z.boolean().exactOptional(),
  })

  const rules = {
    matching: z.enum(['collapsed', 'per-block', 'exact', 'prefix']),
    minimumTokens: tokens,
    maxBreakpoints: z.int().nonnegative().max(100),
    lookback: z.int().nonnegative().max(1000),
    sliding: z.boolean(),
    short: lifetime,
    keepsThinking: z.boolean(),
    bindsThinking: z.boolean(),
    effortChangesAll: z.boolean(),
  }
  const mayBeMissing = {
    long: lifetime.exactOptional(),
    tiers: z
      .array(z.strictObject({ above: z.int().positive(), factor: multiple.positive() }))
      .max(10)
      .exactOptional(),
    automaticMarker: z.boolean().exactOptional(),
    /** Whether entries are paid by the hour, with the model's `storage` price. */
    paysStorage: z.boolean().exactOptional(),
    note: text.exactOptional(),
  }
  const changes = z.object(rules).exactPartial().extend(mayBeMissing).shape

  /** Differences for one model, or on one route. */
  const route = z.strictObject({ ...changes, cached: price.exactOptional() })

  /** Rules that models share. */
  const family = z.strictObject({
    ...rules,
    ...mayBeMissing,
    routes: z.record(name, z.unknown()).exactOptional(),
  })

  const model = z.strictObject({
    ...changes,
    id: z
      .string()
      .regex(/^[a-z\d][a-z\d.-]{0,99}$/, 'expected a name in lower case, such as "claude-opus-5"'),
    family: name,
    /** 0 where tokens cost nothing; then `cached` and `storage` are 0 too. */
    input: price.refine(
      (value) => value === 0 || value >= LEAST_INPUT,
      `expected 0, or at least ${LEAST_INPUT}`,
    ),
    output: price,
    /** The price of a token that is read from the cache. */
    cached: price,
    /** US dollars for a million tokens and an hour. */
    storage: price.exactOptional(),
    asOf: z.iso.date('expected a day as YYYY-MM-DD').exactOptional(),
    source: text.exactOptional(),
    routes: z.record(name, z.unknown()).exactOptional(),
  })

  /** A file, but for what has its own schema. */
  const file = z.strictObject({
    provider: name,
    asOf: z.iso.date('expected a day as YYYY-MM-DD'),
    source: text,
    unit: z.literal('US dollars for a million tokens'),
    notes: z.array(text).max(100).exactOptional(),
    /** The route of the provider itself. */
    route: name,
    families: z.record(name, z.unknown()),
    models: z.array(z.unknown()).min(1).max(10_000),
  })

  return { route, family, model, file }
})
type Checked<Part extends keyof ReturnType<typeof pricingSchemas>> = z.output<
  ReturnType<typeof pricingSchemas>[Part]
>

export type RouteRules = Checked<'route'>
type Routes = { readonly routes: Readonly<Record<string, RouteRules>> }
export type FamilyRules = Omit<Checked<'family'>, 'routes'> & Routes
export type ModelRules = Omit<Checked<'model'>, 'routes'> & Routes

/** The models of one provider: prices with their date and source, and the rules of its cache. */
export interface ProviderData extends Omit<Checked<'file'>, 'families' | 'models'> {
  readonly families: Readonly<Record<string, FamilyRules>>
  readonly models: readonly ModelRules[]
}

/** Checked data of `parsePricing`. No two models have the same id. */
export type PricingData = readonly ProviderData[]
