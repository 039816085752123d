import { deepestOf } from '../cache/find-hit.ts'
import { commonBlocks } from '../cache/serve-request.ts'
import { type CachedEnd, cachedEnds } from './cached-end.ts'
import { countTokens, nameOf } from './first-difference.ts'
import type { Evidence, Finding } from './usage-evidence.ts'

/** Explains why less was expected than was cached, when the expectation was met. Null when no more was cached. */
export function explainLoss(evidence: Evidence): Finding | null {
  const { planned, previous, state, pricing, difference } = evidence
  const heldOf = (layout: typeof planned.layout) =>
    deepestOf(cachedEnds(layout, state, planned.at, pricing).filter(({ isHeld }) => isHeld))
  const own = heldOf(planned.layout)
  if (own !== undefined && isLost(own, evidence)) return lookbackMissed(own, evidence)
  const before = previous === null ? undefined : heldOf(previous.layout)
  if (previous === null || before === undefined || difference === null || !isLost(before, evidence))
    return null
  if (commonBlocks(previous.layout.hashes, planned.layout.hashes) > before.block) return null
  const read = evidence.read.toLocaleString('en-US')
  const cached = countTokens(Math.round(before.tokens * evidence.scale))
  const message = `Only ${read} of ${cached} that were cached could be read, because ${difference.clause}.`
  return { verdict: 'changed', message }
}

/** Whether what was read ends nearer to what was expected than to this. */
function isLost({ tokens }: CachedEnd, { read, planned, scale }: Evidence): boolean {
  const expected = planned.expected.read
  return tokens > expected && read < ((tokens + expected) / 2) * scale
}

/** Null when no breakpoint stands behind it. */
export function lookbackMissed({ block: end }: CachedEnd, { planned, pricing }: Evidence): Finding | null {
  const block = planned.layout.blocks[end]
  if (block === undefined || pricing.matching === 'prefix') return null
  if (!planned.markers.some((marker) => marker.block >= end)) return null
  const rule =
    pricing.matching === 'exact'
      ? 'and a breakpoint finds only what ends where it stands'
      : `and no breakpoint stands within ${pricing.lookback} positions of it`
  return { verdict: 'lookback-missed', message: `What is cached ends at ${nameOf(block)}, ${rule}.` }
}
