import type { TokenCounter } from '@palimpsest/core'
import { createBillMeter, type ViewBill } from '@palimpsest/inspector'
import {
  type CachePricing,
  type CacheSetting,
  createCachePlanner,
  createRequestClock,
} from '@palimpsest/prompt-caching'
import type { BillPrices } from './bill-prices.ts'

export interface BillReport extends Omit<ViewBill, 'model' | 'asOf' | 'reported'> {
  readonly profile: {
    readonly provider: string
    readonly model: string
    readonly asOf: string
    readonly source: string
    readonly matching: string
    /** The lifetime of breakpoints; `automatic` if the provider caches by itself, `off` without breakpoints. */
    readonly ttl: string
  }
  readonly notes: readonly string[]
}

interface CacheSettings {
  readonly setting: CacheSetting
  readonly strategy: 'sticky' | 'system_and_3'
}

interface ReplayBillInput extends CacheSettings {
  readonly prices: BillPrices
  readonly tokens: TokenCounter
}

export type ReplayBill = ReturnType<typeof createReplayBill>

export function createReplayBill({ prices, tokens, ...settings }: ReplayBillInput) {
  const { profile, note } = prices
  const { setting } = settings
  const clock = createRequestClock()
  const placed = {
    ...{ tokens, clock },
    ttl: setting === 'off' ? '5m' : setting,
    strategy: setting === 'off' ? 'off' : settings.strategy,
  } as const
  const meter = createBillMeter({ prices: profile, ...placed })
  return {
    ...meter,
    planner: createCachePlanner({ pricing: profile, ...placed }),
    prices: profile,
    start: clock.start,
    reportOf(details?: Readonly<Record<string, unknown>>): BillReport {
      const { provider, model, asOf, source, matching } = profile
      const { without, with: withEngine, tools, summaries, cacheReadShare } = meter.bill(details)
      const own = settingNote(profile, settings)
      return {
        profile: { provider, model, asOf, source, matching, ttl: lifetimeName(profile, setting) },
        ...{ without, with: withEngine, tools, summaries, cacheReadShare },
        notes: [note, own].filter((text) => text !== null),
      }
    },
  }
}

function isAutomatic({ matching }: CachePricing): boolean {
  return matching === 'prefix'
}

function lifetimeName(profile: CachePricing, setting: CacheSetting): string {
  const { short, long } = profile
  if (isAutomatic(profile)) return 'automatic'
  if (setting === 'off') return 'off'
  return setting === '1h' && long !== undefined ? long.ttl : short.ttl
}

/** Names a setting without effect, which would make the bill misleading. */
export function settingNote(profile: CachePricing, { setting, strategy }: CacheSettings): string | null {
  const { model, long, short } = profile
  if (isAutomatic(profile)) {
    const name =
      setting === '5m' ? `prompt_caching.strategy: ${strategy}` : `prompt_caching.cache_ttl: ${setting}`
    const isUsual = setting === '5m' && strategy === 'sticky'
    return isUsual ? null : `${name} has no effect: ${model} is cached by its provider`
  }
  if (setting === '1h' && long === undefined)
    return `prompt_caching.cache_ttl: 1h is not known for ${model} there: the cache lifetime is ${short.ttl}`
  return null
}
