import type { SessionPauses } from '../cache/cache-state.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** The pauses that a session is expected to have: those that outlast the short lifetime. */
export interface ExpectedPauses {
  /** For one request. */
  readonly perRequest: number
  /** Requests that are expected to follow, in the mean. */
  readonly requests: number
  /** Those of them that are expected before messages change that were sent. */
  readonly requestsToChange: number
  /** Requests that are expected to follow for each end of a session of about this length. */
  readonly requestsPerEnd: number
  /** The share of them that is longer than `from` and not longer than `to`, in milliseconds. */
  share(from: number, to: number): number
}

/** Earlier sessions together count as this many requests: a session that is unlike them is soon judged by itself. */
const EARLIER_REQUESTS = 200
/** The pause that is expected before one was seen: any order of magnitude up to this is as likely, in milliseconds. */
const LONGEST_MS = 24 * 3_600_000

/**
 * Counts with little to count. A session of n requests with k long pauses has (k + ½) / (n + 1) a request; one more
 * pause, of unknown length, is added to those that were seen; and one session that ends after 2n requests to the
 * earlier ones of n and more, so that without any a session is expected to go on for as long as it has.
 */
export function expectPauses(
  { requests, longPauses, changes }: SessionPauses,
  earlier: readonly SessionPauses[] = [],
  { short }: Pick<CachePricing, 'short'>,
): ExpectedPauses {
  const shortMs = short.seconds * 1000
  const length = Math.max(1, requests)
  const told = earlier.reduce((sum, session) => sum + session.requests, 0)
  const weight = Math.min(1, EARLIER_REQUESTS / told)
  const seen = countsOf([
    ...longPauses.map((pause) => ({ pause, weight: 1 })),
    ...earlier.flatMap((session) => session.longPauses.map((pause) => ({ pause, weight }))),
  ])
  const all = seen(shortMs, Number.POSITIVE_INFINITY)
  const magnitude = (pause: number) =>
    Math.log(Math.min(LONGEST_MS, Math.max(shortMs, pause)) / shortMs) / Math.log(LONGEST_MS / shortMs)

  const longer = earlier.filter((session) => session.requests >= length)
  const sumOf = (of: (requests: number) => number) =>
    longer.reduce((sum, session) => sum + of(session.requests), 0)
  const near = sumOf((total) => Math.min(total, 2 * length) - length)
  const ended = longer.filter((session) => session.requests < 2 * length).length
  const toCome = (sumOf((total) => total - length) + length) / (longer.length + 1)
  const changed = earlier.reduce((sum, session) => sum + weight * session.changes, changes)
  return {
    perRequest: (all + 0.5) / (length + weight * told + 1),
    requests: toCome,
    requestsToChange: 1 / (1 / toCome + changed / (length + weight * told)),
    requestsPerEnd: (near + length) / (ended + 1),
    share: (from, to) => (seen(from, to) + magnitude(to) - magnitude(from)) / (all + 1),
  }
}

/** The weight of the pauses that are longer than one time and not longer than another. */
function countsOf(pauses: { readonly pause: number; readonly weight: number }[]) {
  pauses.sort((a, b) => a.pause - b.pause)
  const sums = [0]
  for (const { weight } of pauses) sums.push((sums.at(-1) ?? 0) + weight)
  const upTo = (time: number): number => {
    let low = 0
    let high = pauses.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pauses[middle]?.pause ?? 0) <= time) low = middle + 1
      else high = middle
    }
    return sums[low] ?? 0
  }
  return (from: number, to: number): number => upTo(to) - upTo(from)
}
