import type { CacheObservation, CacheTtl } from '@palimpsest/core'
import type { CacheState } from '../cache/cache-state.ts'
import { isHeld } from '../cache/entry-life.ts'
import { deepestOf, isPrefixOf } from '../cache/find-hit.ts'
import { commonBlocks, serveRequest } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { countTokens, findDifference, nameOf } from './first-difference.ts'
import { type Evidence, type Finding, isEnough, readEvidence, type UsageInput } from './usage-evidence.ts'

/**
 * Compares what a provider reported with what was planned, and finds the reason when less was read than was expected,
 * or than was cached. An absent count means unknown, never zero. The verdict comes from the plan, the clock and the
 * layouts; it is as good as the pricing.
 */
export function explainUsage(input: UsageInput): CacheObservation {
  const { planned, previous } = input
  const evidence = readEvidence(input)
  const { verdict, message } = evidence === null ? NOT_SAID : judge(evidence)
  const difference = previous && findDifference(previous.layout, planned.layout)
  return {
    verdict,
    expectedRead: planned.expected.read,
    read: evidence === null ? null : evidence.read,
    ...(difference !== null && difference.ref !== null && { firstDifference: difference.ref }),
    message,
  }
}

const NOT_SAID: Finding = {
  verdict: 'unknown',
  message: 'The provider did not say how much of the prompt it read from its cache.',
}

function judge(evidence: Evidence): Finding {
  if (evidence.read === 0 || !isEnough(evidence)) return explainMiss(evidence)
  return explainLoss(evidence) ?? { verdict: 'hit', message: hitMessage(evidence) }
}

function hitMessage({ read, planned, difference }: Evidence): string {
  const expected = planned.expected.read
  const were = read === 1 ? 'was' : 'were'
  const asExpected =
    read >= expected
      ? `${countTokens(read)} ${were} read from the cache${expected === 0 ? '; none were expected to be' : ', as expected'}`
      : `${countTokens(read)} of about ${expected.toLocaleString('en-US')} that were expected ${were} read from the cache`
  return difference === null ? `${asExpected}.` : `${asExpected}, although ${difference.clause}.`
}

/**
 * The provider's cache after a request, by its own report. Where it took no breakpoint, nothing. Where it read
 * less than it was believed to hold, what was believed is wrong, and only what this request itself marked is held.
 */
export function stateAfterUsage(
  input: UsageInput,
  { verdict }: Pick<CacheObservation, 'verdict'>,
  after: CacheState,
): CacheState {
  if (verdict === 'stripped' || verdict === 'below-minimum') return { ...after, entries: [], prompts: [] }
  const evidence = readEvidence(input)
  if (evidence === null || isEnough(evidence)) return after
  const { layout, markers } = input.planned
  const marked = new Set(markers.map(({ block }) => block))
  const entries = after.entries.filter((entry) => marked.has(entry.block) && isPrefixOf(entry, layout))
  const prompts = after.prompts.filter(({ hashes }) => hashes === layout.hashes)
  return { ...after, entries, prompts }
}

/** Why less was read than expected, or nothing at all. */
function explainMiss(evidence: Evidence): Finding {
  const { planned, expected, difference } = evidence
  const known = belowMinimum(evidence) ?? stripped(evidence)
  if (known !== null) return known
  if (expected > 0) return readLess(evidence)
  const missed = lapsedOrMissed(evidence)
  if (missed !== null) return missed
  if (difference !== null)
    return {
      verdict: 'changed',
      message: `Nothing could be read from the cache, because ${difference.clause}.`,
    }
  const written = planned.expected.write5m + planned.expected.write1h
  const were = written === 1 ? 'was' : 'were'
  const then = written > 0 ? `; ${countTokens(written)} ${were} expected to be written` : ''
  const message = `Nothing was expected to be read from the cache: ${whyNothing(evidence)}${then}.`
  return { verdict: 'hit', message }
}

function whyNothing({ planned, previous, pricing }: Evidence): string {
  if (planned.markers.length === 0 && pricing.matching !== 'prefix') return 'no breakpoint was sent'
  return previous === null ? 'this was the first request' : 'the request before left nothing to be read'
}

function belowMinimum({ promptTokens, read, pricing }: Evidence): Finding | null {
  if (read > 0 || promptTokens >= pricing.minimumTokens) return null
  const message = `The prompt has ${countTokens(promptTokens)}, and ${pricing.model} caches nothing below ${countTokens(pricing.minimumTokens)}.`
  return { verdict: 'below-minimum', message }
}

/** A provider that saw a marker above its minimum reads or writes. One that does not report writes proves nothing. */
function stripped({ planned, read, written, pricing }: Evidence): Finding | null {
  const { markers, expected } = planned
  if (pricing.matching === 'prefix' || markers.length === 0 || read > 0 || written !== 0) return null
  if (expected.read + expected.write5m + expected.write1h === 0) return null
  const sent = markers.length === 1 ? '1 breakpoint was' : `${markers.length} breakpoints were`
  const out = markers.length === 1 ? 'it' : 'them'
  const message = `${sent} sent and nothing was read or written: something between here and ${pricing.model} takes ${out} out.`
  return { verdict: 'stripped', message }
}

/** It should have been there. */
function readLess(evidence: Evidence): Finding {
  const { planned, state, pricing, read, written, expected } = evidence
  const shortfall = `${read.toLocaleString('en-US')} of ${countTokens(Math.round(expected))} were read from the cache`
  if (pricing.matching === 'collapsed') {
    const request = { layout: planned.layout, markers: planned.markers, at: planned.at }
    const strict = serveRequest(request, state, { ...pricing, matching: 'per-block' })
    if (strict.bill.read < planned.expected.read)
      return {
        verdict: 'lookback-missed',
        message: `${shortfall}: this route seems to count each parallel call and result as a position of its own.`,
      }
  }
  if (read === 0 && written === null && pricing.matching !== 'prefix')
    return {
      verdict: 'unknown',
      message: `${shortfall}, and the provider does not say what it wrote: either it dropped the rest early, or no breakpoint arrived.`,
    }
  return { verdict: 'expired', message: `${shortfall}: the provider dropped the rest before its time.` }
}

/** Nothing was expected: is something of this prompt cached, or was it? */
function lapsedOrMissed(evidence: Evidence): Finding | null {
  const { planned, state, pricing } = evidence
  const { layout, at } = planned
  const ends = cachedEnds(layout, state, at, pricing)
  const held = deepestOf(ends.filter(({ isHeld }) => isHeld))
  if (held !== undefined) return lookbackMissed(held, evidence)
  const lapsed = deepestOf(ends)
  const block = layout.blocks[lapsed?.block ?? -1]
  if (lapsed === undefined || block === undefined) return null
  const ago = ((at - lapsed.usedAt) / 60_000).toFixed(1)
  const message = `What is cached ends at ${nameOf(block)} and had lapsed: it was last used ${ago} minutes ago and lives for ${lapsed.ttl}.`
  return { verdict: 'expired', message }
}

/** Explains why less was expected than was cached, when the expectation was met. Null when no more was cached. */
function explainLoss(evidence: Evidence): Finding | null {
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
function lookbackMissed({ block: end }: CachedEnd, { planned, pricing }: Evidence): Finding | null {
  const block = planned.layout.blocks[end]
  if (block === undefined || pricing.matching === 'prefix') return null
  if (!planned.markers.some((marker) => marker.block >= end)) return null
  const rule =
    pricing.matching === 'exact'
      ? 'and a breakpoint finds only what ends where it stands'
      : `and no breakpoint stands within ${pricing.lookback} positions of it`
  return { verdict: 'lookback-missed', message: `What is cached ends at ${nameOf(block)}, ${rule}.` }
}

/** A beginning of a prompt that the provider was told to keep. */
interface CachedEnd {
  readonly block: number
  /** In the tokens of our counter. */
  readonly tokens: number
  readonly ttl: CacheTtl
  readonly usedAt: number
  /** Whether it has not lapsed. */
  readonly isHeld: boolean
}

/**
 * The cached beginnings of a prompt when a request started, lapsed or not; never those that started beside it. Only
 * what is long enough to be found.
 */
function cachedEnds(
  layout: RequestLayout,
  state: CacheState,
  at: number,
  pricing: CachePricing,
): readonly CachedEnd[] {
  const entries = state.entries.filter((entry) => isPrefixOf(entry, layout))
  const prompts = state.prompts.map(({ hashes, ...prompt }) => {
    const block = commonBlocks(hashes, layout.hashes) - 1
    return { ...prompt, block, ttl: pricing.short.ttl }
  })
  return [...entries, ...prompts].flatMap(({ block, ttl, usedAt, readableFrom }) => {
    const tokens = layout.ends[block] ?? 0
    if (readableFrom >= at || tokens < Math.max(1, pricing.minimumTokens)) return []
    return [{ block, tokens, ttl, usedAt, isHeld: isHeld({ ttl, usedAt }, at, pricing) }]
  })
}
