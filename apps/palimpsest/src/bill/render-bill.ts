import type { RecordedCacheReport } from '@palimpsest/prompt-caching'
import { colors } from '../colors.ts'
import type { BillReport } from './bill-report.ts'

/** Rows of a table for people: what the prompts of a session cost. */
export function billRows(bill: BillReport): [string, string][] {
  const { profile, sticky, bound, placementRatio, cacheReadShare, summaries } = bill
  const rows: [string, string][] = [
    ['prices', `${profile.model}, ${profile.asOf}, ${lifetime(profile.ttl)}`],
    ['without cache', dollars(bill.uncached)],
    ['system_and_3', dollars(bill.systemAnd3)],
    ['sticky', `${dollars(sticky)}, ${percent(cacheReadShare)} of the tokens read from the cache`],
    ['lower bound', `${dollars(bound)}; sticky is ${placementRatio.toFixed(3)} times that`],
  ]
  if (summaries.count > 0) {
    const paid = paidText(summaries.usd)
    rows.push([
      'summaries',
      `${paid}; ${dollars(summaries.asModelUsd)} if ${profile.model} had written ${summaries.count}`,
    ])
  }
  if (bill.recorded !== null) rows.push(['recorded cache', recordedText(bill.recorded)])
  return rows
}

function paidText(usd: number | null): string {
  if (usd === null) return 'price not known'
  return usd === 0 ? 'offline, for nothing' : dollars(usd)
}

function lifetime(ttl: string): string {
  return ttl === 'automatic' ? 'cached by the provider itself' : `breakpoints live ${ttl}`
}

function recordedText({
  requests,
  medianReadError,
  medianCountedError,
  misses,
}: RecordedCacheReport): string {
  const { nothingRead, headOnly, moreRead, other } = misses
  const differing = nothingRead + headOnly + moreRead + other
  const kinds = [
    [nothingRead, 'read nothing'],
    [headOnly, 'read what stands before the messages only'],
    [moreRead, 'read more'],
    [other, 'otherwise'],
  ] as const
  const named = kinds.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`)
  const rest = differing === 0 ? 'none differs' : `${differing} differ: ${named.join(', ')}`
  return `simulated reads differ by ${percent(medianReadError)} in the median of ${requests} requests (${percent(medianCountedError)} by our counts); ${rest}`
}

function dollars(usd: number): string {
  return `$${usd < 10 ? usd.toFixed(4) : usd.toFixed(2)}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}

/** The heading of the table. */
export function billHeading(): string {
  return colors.bold('what the prompts cost')
}
