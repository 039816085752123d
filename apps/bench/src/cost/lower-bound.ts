import { type CachePricing, type PlanRequest, tierFactor } from '@palimpsest/prompt-caching'

interface TokenCost {
  readonly bare: number
  readonly held: number
  readonly usedAt: number
}

const UNSENT: TokenCost = { bare: 0, held: Number.POSITIVE_INFINITY, usedAt: 0 }

/**
 * The least cost of a sequence of requests in US dollars, with any breakpoints of the short lifetime, planned with
 * knowledge of every pause, every change and the end. A token costs at least what it would cost alone: in each request
 * that starts with the same tokens up to it, it is plain input, or written, or read if it is still cached.
 */
export function lowerBound(requests: Iterable<PlanRequest>, pricing: CachePricing): number {
  const nodes = new Map<string, TokenCost>()
  let units = 0
  for (const { layout, at } of requests) {
    const factor = tierFactor(layout.tokens, pricing)
    const isCached = layout.tokens >= pricing.minimumTokens && pricing.maxBreakpoints > 0
    for (const [index, { tokens }] of layout.blocks.entries()) {
      const hash = layout.hashes[index] ?? ''
      const before = nodes.get(hash) ?? UNSENT
      const after = isCached ? visit(before, at, factor, pricing) : plainInput(before, factor)
      units += tokens * (leastOf(after) - leastOf(before))
      nodes.set(hash, after)
    }
  }
  return (units * pricing.input) / 1_000_000
}

function visit(before: TokenCost, at: number, factor: number, { short, read }: CachePricing): TokenCost {
  const isLive = at - before.usedAt <= short.seconds * 1000
  const reading = isLive ? before.held + read * factor : Number.POSITIVE_INFINITY
  const writing = leastOf(before) + short.write * factor
  return { bare: leastOf(before) + factor, held: Math.min(reading, writing), usedAt: at }
}

function plainInput({ bare, held, usedAt }: TokenCost, factor: number): TokenCost {
  return { bare: bare + factor, held: held + factor, usedAt }
}

function leastOf({ bare, held }: TokenCost): number {
  return Math.min(bare, held)
}
