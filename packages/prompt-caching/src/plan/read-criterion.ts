import type { CacheLifetime, CachePricing } from '../pricing/cache-pricing.ts'
import type { Situation } from './situation.ts'

/**
 * The number of reads after which a write pays. Written and read n times, a token costs w + n·r; sent n + 1
 * times without a breakpoint, 1 + n. So n > (w − 1) / (1 − r): .28 for five minutes and 1.11 for an hour at Anthropic
 * with r = .1. Infinity where reading is no cheaper than sending.
 */
export function readsToPay(
  { write }: Pick<CacheLifetime, 'write'>,
  { read }: Pick<CachePricing, 'read'>,
): number {
  if (read >= 1) return Number.POSITIVE_INFINITY
  return Math.max(0, write - 1) / (1 - read)
}

/**
 * Whether it pays to write at all. A session is expected to go on for as long as it has: with a follow-up there is one
 * read at least. Measured by the short lifetime: whether to write for longer is another question.
 */
export function isWorthWriting({ followUp, state, pricing }: Situation): boolean {
  return followUp && state.pauses.length + 1 > readsToPay(pricing.short, pricing)
}

/** Requests in a row that found nothing of what was written, before writing stops. */
const UNREAD_LIMIT = 3
/** Every so many requests it is tried again. */
const TRY_AGAIN = 8

/**
 * Whether what this request writes will be read, as far as the last requests tell. An engine that makes its block at
 * the top anew for each request changes everything behind it: nothing there is worth a write.
 */
export function isLikelyRead({ state: { unread } }: Situation): boolean {
  return unread < UNREAD_LIMIT || unread % TRY_AGAIN === 0
}
