import type { CachePricing, CacheSetting, SessionBill } from '@palimpsest/prompt-caching'

/** Whether the provider caches by itself, with nothing to place. */
export function isAutomatic({ matching }: CachePricing): boolean {
  return matching === 'prefix'
}

/** The lifetime of breakpoints, as the route names it. */
export function lifetimeName(profile: CachePricing, setting: CacheSetting): string {
  const { short, long } = profile
  if (isAutomatic(profile)) return 'automatic'
  if (long === undefined || setting === '5m' || setting === 'off') return short.ttl
  return setting === 'auto' ? 'auto' : long.ttl
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
