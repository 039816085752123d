import type { CacheAnchor, CacheRepair } from '@palimpsest/core'

/**
 * What `openaiWire` mends in a plan. Chat Completions keep a beginning for 30 minutes; 12 hours are for the Responses
 * API only (openai 7.57: `prompt_cache_options.ttl`), so such a breakpoint is written with the lifetime there is.
 */
export function checkOpenAIAnchors(anchors: readonly CacheAnchor[]): CacheRepair[] {
  if (!anchors.some(({ ttl }) => ttl === '12h')) return []
  return [
    {
      rule: 'openai-12h-needs-responses',
      message:
        'Chat Completions cache for 30 minutes: breakpoints of 12 hours were written as such of 30 minutes',
    },
  ]
}
