import type { CacheBill, CacheObservation, CacheRef, Usage } from '@palimpsest/core'
import type { CacheRequest, CacheState } from '../cache/cache-state.ts'
import { commonBlocks, deepestOf, isHeld, isPrefixOf } from '../cache/serve-request.ts'
import type { CacheBlock, RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** A request that was sent, and the provider's report. */
export interface UsageInput {
  readonly usage: Usage
  readonly request: CacheRequest
  readonly expected: CacheBill
  /** The request before, if there was one. */
  readonly previous: CacheRequest | null
  /** The assumed state of the provider's cache before the request. */
  readonly before: CacheState
  readonly pricing: CachePricing
}

/** The counts of a usage, in the provider's tokens. */
interface Report {
  readonly read: number
  /** Null: the provider did not say. */
  readonly written: number | null
  readonly promptTokens: number
  /** The provider's tokens for one of ours. */
  readonly scale: number
}

/** The first block that is not what it was, and a clause for people: `messages[3] (user) changed`. */
interface Difference {
  readonly ref: CacheRef
  readonly clause: string
}

type Finding = Pick<CacheObservation, 'verdict' | 'message'>

/**
 * Another tokenizer counts tools and prose differently, so that nine tenths of what was expected, in proportion to
 * the prompt that was reported, count as read; and some providers report in steps of 128 tokens.
 */
const ENOUGH = 0.9
const REPORT_STEP = 128

const NOT_SAID: Finding = {
  verdict: 'unknown',
  message: 'The provider did not say how much of the prompt it read from its cache.',
}

/**
 * Compares what a provider reported with what was planned, and finds the reason when less was read than was expected,
 * or than was cached. An absent count means unknown, never zero.
 */
export function explainUsage(input: UsageInput): CacheObservation {
  const { request, expected, previous } = input
  const report = readReport(input)
  const difference = previous && findDifference(previous.layout, request.layout)
  return {
    ...(report === null ? NOT_SAID : judge(input, report, difference)),
    expectedRead: expected.read,
    read: report === null ? null : report.read,
    ...(difference !== null && { firstDifference: difference.ref }),
  }
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
  const report = readReport(input)
  if (report === null || isEnough(report, input.expected)) return after
  const { layout, markers } = input.request
  const marked = new Set(markers.map(({ block }) => block))
  const entries = after.entries.filter((entry) => marked.has(entry.block) && isPrefixOf(entry, layout))
  const prompts = after.prompts.filter(({ hashes }) => hashes === layout.hashes)
  return { ...after, entries, prompts }
}

/** Null when the provider did not say what it read: without a count, or with a usage that counts nothing at all. */
function readReport({ usage, request }: UsageInput): Report | null {
  const read = knownCount(usage.cacheReadTokens)
  const reported = knownCount(usage.promptTokens) ?? 0
  if (read === null || (reported === 0 && read === 0)) return null
  const counted = request.layout.tokens
  const promptTokens = reported || counted
  const scale = counted === 0 ? 0 : promptTokens / counted
  return { read, written: knownCount(usage.cacheWriteTokens), promptTokens, scale }
}

/** Counts that make no sense are as good as none. */
function knownCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

function isEnough({ read, scale }: Report, expected: CacheBill): boolean {
  return read >= expected.read * scale * ENOUGH - REPORT_STEP
}

function judge(input: UsageInput, report: Report, difference: Difference | null): Finding {
  const { request, expected, previous, pricing } = input
  const { read, written, promptTokens, scale } = report
  if (read === 0 && promptTokens < pricing.minimumTokens) {
    const message = `The prompt has ${countTokens(promptTokens)}, and ${pricing.model} caches nothing below ${countTokens(pricing.minimumTokens)}.`
    return { verdict: 'below-minimum', message }
  }
  if (isStripped(input, report)) {
    const message = `Breakpoints were sent and nothing was read or written: something between here and ${pricing.model} takes them out.`
    return { verdict: 'stripped', message }
  }
  if (!isEnough(report, expected)) {
    const shortfall = `${read.toLocaleString('en-US')} of ${countTokens(Math.round(expected.read * scale))} were read from the cache`
    return read === 0 && written === null && pricing.matching !== 'prefix'
      ? { verdict: 'unknown', message: `${shortfall}: it was dropped early, or no breakpoint arrived.` }
      : { verdict: 'expired', message: `${shortfall}: the provider dropped the rest before its time.` }
  }
  const lapsed = deepestOf(cachedEnds(request.layout, input).filter((end) => !end.isHeld))
  if (lapsed !== undefined && lapsed.tokens > expected.read) {
    const minutes = ((request.at - lapsed.usedAt) / 60_000).toFixed(1)
    const message = `What was cached had lapsed: it was last used ${minutes} minutes ago.`
    return { verdict: 'expired', message }
  }
  const cached = previous && deepestOf(cachedEnds(previous.layout, input).filter((end) => end.isHeld))
  if (difference !== null && cached && cached.tokens > expected.read) {
    const were = countTokens(Math.round(cached.tokens * scale))
    const message = `Only ${read.toLocaleString('en-US')} of ${were} that were cached could be read, because ${difference.clause}.`
    return { verdict: 'changed', message }
  }
  const message = `${countTokens(read)} of the prompt came from the cache; ${countTokens(Math.round(expected.read * scale))} were expected to.`
  return { verdict: 'hit', message }
}

/** A provider that saw a marker above its minimum reads or writes. One that does not report writes proves nothing. */
function isStripped({ request, expected, pricing }: UsageInput, { read, written }: Report): boolean {
  if (pricing.matching === 'prefix' || request.markers.length === 0 || read > 0 || written !== 0) return false
  return expected.read + expected.write5m + expected.write1h > 0
}

/** A beginning of a prompt that the provider was told to keep. */
interface CachedEnd {
  readonly block: number
  /** In the tokens of our counter. */
  readonly tokens: number
  readonly usedAt: number
  /** Whether it has not lapsed. */
  readonly isHeld: boolean
}

/** The cached beginnings of a prompt when the request started, lapsed or not. Only what is long enough to be found. */
function cachedEnds(layout: RequestLayout, { before, request, pricing }: UsageInput): readonly CachedEnd[] {
  const entries = before.entries.filter((entry) => isPrefixOf(entry, layout))
  const prompts = before.prompts.map(({ hashes, usedAt }) => ({
    block: commonBlocks(hashes, layout.hashes) - 1,
    ttl: pricing.short.ttl,
    usedAt,
  }))
  return [...entries, ...prompts].flatMap(({ block, ttl, usedAt }) => {
    const tokens = layout.ends[block] ?? 0
    if (tokens === 0 || tokens < pricing.minimumTokens) return []
    return [{ block, tokens, usedAt, isHeld: isHeld({ ttl, usedAt }, request.at, pricing) }]
  })
}

/** The first block in which a request differs from the one before, unless one of them begins with the other. */
function findDifference(before: RequestLayout, now: RequestLayout): Difference | null {
  const index = commonBlocks(before.hashes, now.hashes)
  const block = now.blocks[index]
  if (block === undefined || before.blocks[index] === undefined) return null
  return { ref: block.ref, clause: `${nameOf(block)} changed` }
}

/** A block as people look for it: `messages[3] (user)`. Messages are counted from 0, as in the request. */
function nameOf({ ref, role }: CacheBlock): string {
  if (ref.at === 'tool') return `tools[${ref.index}]`
  if (ref.at === 'system') return `block ${ref.block} of the system prompt`
  const message = `messages[${ref.index}] (${role})`
  return ref.block === 0 ? message : `block ${ref.block} of ${message}`
}

/** For people: `1 token`, `3,600 tokens`. */
function countTokens(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'token' : 'tokens'}`
}
