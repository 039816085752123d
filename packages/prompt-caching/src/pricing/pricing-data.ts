import type { CachePricing } from './cache-pricing.ts'

type CacheRules = Pick<
  CachePricing,
  'matching' | 'minimumTokens' | 'maxBreakpoints' | 'lookback' | 'short' | 'long'
> &
  Partial<Pick<CachePricing, 'tiers'>>

type Routes<Rules> = Readonly<Record<string, Partial<Rules>>>

interface ModelData extends Partial<CacheRules> {
  readonly id: string
  readonly family: string
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly asOf?: string
  readonly source?: string
  readonly routes?: Routes<CacheRules & { readonly cached: number }>
}

/** A provider's models: prices with date and source, and cache rules. */
export interface ProviderData {
  readonly provider: string
  /** The date of the prices, as YYYY-MM-DD. */
  readonly asOf: string
  readonly source: string
  /** The provider's own route. */
  readonly route: string
  /** Rules that several models share. */
  readonly families: Readonly<Record<string, CacheRules & { readonly routes?: Routes<CacheRules> }>>
  readonly models: readonly ModelData[]
}
