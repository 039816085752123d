import type { CompletionModel, EngineStatus, TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  type CacheSetting,
  createBillMeter,
  createCachePlanner,
  createRequestClock,
  type SessionBill,
} from '@palimpsest/prompt-caching'
import type { BillPrices } from './bill-prices.ts'
import { createSummaryMeter, type SummaryBill } from './summary-bill.ts'

/** Prompts of a session in money, as `replay --json` prints it. All amounts are US dollars. */
export interface BillReport extends Omit<SessionBill, 'requests' | 'tokens'> {
  readonly profile: {
    readonly provider: string
    readonly model: string
    readonly asOf: string
    readonly source: string
    readonly matching: string
    /** The lifetime of breakpoints; `automatic` where the provider caches by itself. */
    readonly ttl: string
  }
  readonly summaries: SummaryBill
  readonly notes: readonly string[]
}

interface ReplayBillInput {
  readonly prices: BillPrices
  /** `prompt_caching.cache_ttl`. With `off` the session is planned without breakpoints. */
  readonly setting: CacheSetting
  /** `prompt_caching.strategy`. Default `sticky`. */
  readonly strategy?: 'sticky' | 'system_and_3'
  readonly tokens: TokenCounter
  readonly model: CompletionModel | undefined
}

export type ReplayBill = ReturnType<typeof createReplayBill>

export function createReplayBill(input: ReplayBillInput) {
  const { prices, setting, strategy: chosen = 'sticky', tokens, model } = input
  const { profile, note } = prices
  const clock = createRequestClock()
  const ttl = setting === 'off' ? '5m' : setting
  const meter = createBillMeter(profile, { ttl })
  const summaries = createSummaryMeter({ tokens, profile, model })
  const strategy = setting === 'off' ? 'off' : chosen
  const planner = createCachePlanner({ pricing: profile, tokens, clock, ttl, strategy, onRequest: meter.add })
  return {
    planner,
    model: summaries.model,
    /** The next request starts, in milliseconds since the epoch; undefined when the recording does not say. */
    start: clock.start,
    compacted: summaries.add,
    report(status?: EngineStatus): BillReport {
      const { bill } = meter
      const { provider, model, asOf, source, matching } = profile
      return {
        profile: { provider, model, asOf, source, matching, ttl: lifetimeName(profile, setting) },
        uncached: bill.uncached,
        systemAnd3: bill.systemAnd3,
        sticky: bill.sticky,
        cacheReadShare: bill.cacheReadShare,
        summaries: summaries.bill(status),
        notes: [...(note === null ? [] : [note]), ...billNotes(profile, { setting, strategy: chosen }, bill)],
      }
    },
  }
}

/** Whether the provider caches by itself, with nothing to place. */
function isAutomatic({ matching }: CachePricing): boolean {
  return matching === 'prefix'
}

export function lifetimeName(profile: CachePricing, setting: CacheSetting): string {
  const { short, long } = profile
  if (isAutomatic(profile)) return 'automatic'
  return setting === '1h' && long !== undefined ? long.ttl : short.ttl
}

interface CacheSettings {
  readonly setting: CacheSetting
  readonly strategy: 'sticky' | 'system_and_3'
}

/** Warnings without which the bill misleads: a setting that does nothing, and a cache that costs more than none. */
export function billNotes(
  profile: CachePricing,
  settings: CacheSettings,
  { sticky, systemAnd3, uncached }: Pick<SessionBill, 'sticky' | 'systemAnd3' | 'uncached'>,
): string[] {
  const { setting, strategy } = settings
  const notes = [settingNote(profile, setting), strategyNote(profile, settings)].filter(
    (note) => note !== null,
  )
  if ((strategy === 'sticky' ? sticky : systemAnd3) > uncached)
    notes.push('caching costs more than it saves here: what is written is read too seldom before it lapses')
  return notes
}

function strategyNote(profile: CachePricing, { setting, strategy }: CacheSettings): string | null {
  if (strategy === 'sticky' || setting === 'off') return null
  const name = `prompt_caching.strategy: ${strategy}`
  if (isAutomatic(profile)) return `${name} has no effect: ${profile.model} is cached by its provider`
  return `${name}: the breakpoints were placed so; sticky is what the same session would cost without that setting`
}

function settingNote(profile: CachePricing, setting: CacheSetting): string | null {
  const { model, long, short } = profile
  const name = `prompt_caching.cache_ttl: ${setting}`
  if (isAutomatic(profile)) {
    if (setting === 'off') return `${name} has no effect: ${model} is cached by its provider, whatever is set`
    return setting === '1h' ? `${name} has no effect: ${model} is cached by its provider` : null
  }
  if (setting === 'off')
    return `${name}: no breakpoints were placed, so that the prompts cost what they cost without cache; the other lines are what they would cost`
  if (setting === '1h' && long === undefined)
    return `${name} is not known for ${model} there: breakpoints live ${short.ttl}`
  return null
}
