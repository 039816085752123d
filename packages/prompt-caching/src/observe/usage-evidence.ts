import type { CacheBill, CacheVerdict, Usage } from '@palimpsest/core'
import type { CacheState, Marker } from '../cache/cache-state.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import { type Difference, findDifference } from './first-difference.ts'

/** A request that was sent, and the provider's report. */
export interface UsageInput {
  readonly usage: Usage
  readonly planned: {
    readonly layout: RequestLayout
    readonly markers: readonly Marker[]
    readonly expected: CacheBill
    readonly at: number
  }
  /** The request before, if there was one. */
  readonly previous: { readonly layout: RequestLayout; readonly at: number } | null
  /** The assumed state of the provider's cache before the request. */
  readonly state: CacheState
  readonly pricing: CachePricing
}

/** The facts from which the reason for a miss is found. Sizes are in the provider's tokens. */
export interface Evidence extends UsageInput {
  readonly read: number
  /** Null: the provider did not say. */
  readonly written: number | null
  readonly expected: number
  readonly promptTokens: number
  /** The provider's tokens for one of ours. */
  readonly scale: number
  readonly difference: Difference | null
}

export interface Finding {
  readonly verdict: CacheVerdict
  readonly message: string
}

/**
 * Another tokenizer counts tools and prose differently, so that nine tenths of what was expected, in proportion to
 * the prompt that was reported, count as read; and some providers report in steps of 128 tokens.
 */
const ENOUGH = 0.9
const REPORT_STEP = 128

/** Null when the provider did not say what it read: without a count, or with a usage that counts nothing at all. */
export function readEvidence(input: UsageInput): Evidence | null {
  const { usage, planned, previous } = input
  const read = knownCount(usage.cacheReadTokens)
  const reported = knownCount(usage.promptTokens) ?? 0
  if (read === null || (reported === 0 && read === 0)) return null
  const counted = planned.layout.tokens
  const promptTokens = reported || counted
  const scale = counted === 0 ? 0 : promptTokens / counted
  const written = knownCount(usage.cacheWriteTokens)
  const difference = previous && findDifference(previous.layout, planned.layout)
  const expected = planned.expected.read * scale
  return { ...input, read, written, expected, promptTokens, scale, difference }
}

/** Whether as much was read as could be expected, which may be nothing. */
export function isEnough({ read, expected }: Pick<Evidence, 'read' | 'expected'>): boolean {
  return read >= expected * ENOUGH - REPORT_STEP
}

/** Counts that make no sense are as good as none. */
function knownCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
