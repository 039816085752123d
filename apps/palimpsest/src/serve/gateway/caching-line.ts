import type { Config } from '@palimpsest/discovery'
import { findCaching } from '@palimpsest/prompt-caching'
import { routeOf } from '../../prompt-cache.ts'

/** A model of each family that is cached at breakpoints and reached through gateways. */
const FAMILIES = { Claude: 'claude-sonnet-5-5', Kimi: 'kimi-k2', Qwen: 'qwen3-max' } as const

/** The line about breakpoints that the gateway sets for its clients. */
export function gatewayCachingLine(
  baseUrl: string,
  { prompt_caching }: Pick<Config, 'prompt_caching'>,
): string {
  const { cache_ttl: setting, strategy } = prompt_caching
  const at = { provider: 'openai', baseUrl, ...routeOf(baseUrl, prompt_caching) }
  const found = Object.entries(FAMILIES).map(([family, model]) => ({
    family,
    ...findCaching({ ...at, model, setting: setting === 'off' ? '5m' : setting }),
  }))
  const marked = found.filter(({ wire }) => wire === 'openrouter' || wire === 'litellm')
  const place = found[0]?.endpoint
  const begin = 'Prompt caching in the gateway:'
  if (marked.length === 0)
    return `${begin} no breakpoints are added at ${place}; those of clients are passed on`
  if (setting === 'off')
    return `${begin} off (switched off by prompt_caching.cache_ttl); breakpoints of clients are passed on`
  const families = marked.map(({ family }) => family).join(' and ')
  return `${begin} ${strategy} for ${families} at ${place}, where a client sets no breakpoints itself`
}
