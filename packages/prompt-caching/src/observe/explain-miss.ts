import { deepestOf } from '../cache/find-hit.ts'
import { serveRequest } from '../cache/serve-request.ts'
import { cachedEnds } from './cached-end.ts'
import { lookbackMissed } from './explain-loss.ts'
import { countTokens, nameOf } from './first-difference.ts'
import type { Evidence, Finding } from './usage-evidence.ts'

/** Why less was read than expected, or nothing at all. */
export function explainMiss(evidence: Evidence): Finding {
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
