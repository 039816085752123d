import type { CacheAnchor, CacheRef } from '@palimpsest/core'
import { isLongTtl } from '../cache-control.ts'

/** Anthropic refuses a fifth breakpoint. */
export const MOST_BREAKPOINTS = 4

const TIERS = { tool: 0, system: 1, message: 2 } as const

/**
 * Anchors as the API takes them, in the order of the prompt: one for a place, at most four, of which the middle goes
 * first, and what stands before one that lives for an hour lives for an hour too.
 */
export function fitAnchors(anchors: readonly CacheAnchor[]): CacheAnchor[] {
  const places = new Map(anchors.map((anchor) => [position(anchor.ref).join(), anchor]))
  const ordered = [...places.values()].sort((a, b) => compare(position(a.ref), position(b.ref)))
  if (ordered.length > MOST_BREAKPOINTS) ordered.splice(1, ordered.length - MOST_BREAKPOINTS)
  const lastLong = ordered.findLastIndex(({ ttl }) => isLongTtl(ttl))
  return ordered.map((anchor, index) => (index < lastLong ? { ...anchor, ttl: '1h' } : anchor))
}

type Position = readonly [tier: number, index: number, block: number]

function position(ref: CacheRef): Position {
  const index = ref.at === 'system' ? 0 : ref.index
  return [TIERS[ref.at], index, ref.at === 'tool' ? 0 : ref.block]
}

function compare(a: Position, b: Position): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
