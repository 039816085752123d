import { isHeld } from '../cache/entry-life.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import { commonBlocks, serveRequest } from '../cache/serve-request.ts'
import { nameOf } from './first-difference.ts'
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
  const reason = whyNothing(evidence)
  const written = planned.expected.write5m + planned.expected.write1h
  const then = written > 0 ? `; ${tokens(written)} were expected to be written` : ''
  return { verdict: 'hit', message: `Nothing was expected to be read from the cache: ${reason}${then}.` }
}

function whyNothing({ planned, previous, profile }: Evidence): string {
  if (planned.markers.length === 0 && profile.matching !== 'prefix') return 'no breakpoint was sent'
  return previous === null ? 'this was the first request' : 'the request before left nothing to be read'
}

function belowMinimum({ promptTokens, read, profile }: Evidence): Finding | null {
  if (read > 0 || promptTokens >= profile.minimumTokens) return null
  const message = `The prompt has ${tokens(promptTokens)}, and ${profile.model} caches nothing below ${tokens(profile.minimumTokens)}.`
  return { verdict: 'below-minimum', message }
}

/** A provider that saw a marker above its minimum reads or writes. One that does not report writes proves nothing. */
function stripped({ planned, read, written, profile }: Evidence): Finding | null {
  const { markers, expected } = planned
  if (profile.matching === 'prefix' || markers.length === 0 || read > 0 || written !== 0) return null
  if (expected.read + expected.write5m + expected.write1h === 0) return null
  const message = `${markers.length} breakpoints were sent and nothing was read or written: something between here and ${profile.model} takes them out.`
  return { verdict: 'stripped', message }
}

/** It should have been there. */
function readLess(evidence: Evidence): Finding {
  const { planned, state, profile, read, written, expected } = evidence
  const shortfall = `${read.toLocaleString('en-US')} of ${tokens(Math.round(expected))} were read from the cache`
  if (profile.matching === 'collapsed') {
    const request = { layout: planned.layout, markers: planned.markers, at: planned.at }
    const strict = serveRequest(request, state, { ...profile, matching: 'per-block' })
    if (strict.bill.read < planned.expected.read)
      return {
        verdict: 'lookback-missed',
        message: `${shortfall}: this route seems to count each parallel call and result as a position of its own.`,
      }
  }
  if (read === 0 && written === null && profile.matching !== 'prefix')
    return {
      verdict: 'unknown',
      message: `${shortfall}, and the provider does not say what it wrote: either it dropped the rest early, or no breakpoint arrived.`,
    }
  return { verdict: 'expired', message: `${shortfall}: the provider dropped the rest before its time.` }
}

/** Nothing was expected: is something of this prompt cached, or was it? */
function lapsedOrMissed({ planned, state, profile }: Evidence): Finding | null {
  const { layout, markers, at } = planned
  const ends = [
    ...state.entries.filter((entry) => isPrefixOf(entry, layout)),
    ...state.prompts.map(({ hashes, ...prompt }) => {
      const block = commonBlocks(hashes, layout.hashes) - 1
      return { ...prompt, block, ttl: profile.short.ttl }
    }),
  ].filter(
    // A request that starts beside this one has written nothing that this one could read.
    ({ block, readableFrom }) =>
      readableFrom < at && (layout.ends[block] ?? 0) >= Math.max(1, profile.minimumTokens),
  )
  const held = ends.filter((entry) => isHeld(entry, at, profile))
  const last = deepest(held.length > 0 ? held : ends)
  const block = layout.blocks[last?.block ?? -1]
  if (last === undefined || block === undefined) return null
  const cached = `What is cached ends at ${nameOf(block)}`
  if (held.length === 0)
    return {
      verdict: 'expired',
      message: `${cached} and had lapsed: it was last used ${minutes(at - last.usedAt)} ago and lives for ${last.ttl}.`,
    }
  const first = markers.find((marker) => marker.block >= last.block)
  if (profile.matching === 'prefix' || first === undefined) return null
  const rule =
    profile.matching === 'exact'
      ? 'and a breakpoint finds only what ends where it stands'
      : `and no breakpoint stands within ${profile.lookback} positions of it`
  return { verdict: 'lookback-missed', message: `${cached}, ${rule}.` }
}

function deepest<Entry extends { readonly block: number }>(entries: readonly Entry[]): Entry | undefined {
  return entries.reduce<Entry | undefined>(
    (found, entry) => (found === undefined || entry.block > found.block ? entry : found),
    undefined,
  )
}

function tokens(count: number): string {
  return `${count.toLocaleString('en-US')} tokens`
}

function minutes(ms: number): string {
  return `${(ms / 60_000).toFixed(1)} minutes`
}
