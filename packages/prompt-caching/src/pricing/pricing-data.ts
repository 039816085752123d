import type { CachePricing } from './cache-pricing.ts'

/** The rules of a provider's cache. */
type CacheRules = Pick<
  CachePricing,
  'matching' | 'minimumTokens' | 'maxBreakpoints' | 'lookback' | 'short' | 'long'
> &
  Partial<Pick<CachePricing, 'tiers'>>

/** Differences on some routes, by route. */
type Routes<Rules> = Readonly<Record<string, Partial<Rules>>>

/** A model. Prices are in US dollars for a million tokens. */
interface ModelData extends Partial<CacheRules> {
  /** In lower case. */
  readonly id: string
  readonly family: string
  readonly input: number
  readonly output: number
  /** The price of a token that is read from the cache. */
  readonly cached: number
  /** Where they are not those of the provider. */
  readonly asOf?: string
  readonly source?: string
  readonly routes?: Routes<CacheRules & { readonly cached: number }>
}

/** The models of one provider: prices with their date and source, and the rules of its cache. */
export interface ProviderData {
  readonly provider: string
  /** The day of the prices, as YYYY-MM-DD. */
  readonly asOf: string
  readonly source: string
  /** The route of the provider itself. */
  readonly route: string
  /** Rules that models share. */
  readonly families: Readonly<Record<string, CacheRules & { readonly routes?: Routes<CacheRules> }>>
  readonly models: readonly ModelData[]
}
