import { colors } from '../colors.ts'
import { printable } from '../lcm/printable.ts'
import type { BillReport } from './bill-report.ts'

/** Rows of a table for people: what the prompts of a session cost. */
export function billRows(bill: BillReport): [string, string][] {
  const { profile, summaries } = bill
  const rows: [string, string][] = [
    ['prices', `${profile.model}, ${profile.asOf}, ${lifetime(profile.ttl)}`],
    ...fileRows(profile.file),
    ['without cache', dollars(bill.uncached)],
    ...strategyRows(bill),
  ]
  if (summaries.count > 0) {
    const paid = paidText(summaries.usd)
    rows.push([
      'summaries',
      `${paid}; ${dollars(summaries.asModelUsd)} if ${profile.model} had written ${summaries.count}`,
    ])
  }
  return [...rows, ...bill.notes.map((note): [string, string] => ['note', printable(note)])]
}

/** Prices of the package are dated in the row above; those of a file are the user's own. */
function fileRows(file: string | null): [string, string][] {
  return file === null ? [] : [['source', printable(file)]]
}

/** Where the provider caches by itself there is nothing to place, and no strategies to compare. */
function strategyRows({ profile, systemAnd3, sticky, cacheReadShare }: BillReport): [string, string][] {
  const cached = `${dollars(sticky)}, ${percent(cacheReadShare)} of the tokens read from the cache`
  if (profile.ttl === 'automatic') return [['cached', cached]]
  return [
    ['system_and_3', dollars(systemAnd3)],
    ['sticky', cached],
  ]
}

function paidText(usd: number | null): string {
  if (usd === null) return 'price not known'
  return usd === 0 ? 'for nothing' : dollars(usd)
}

function lifetime(ttl: string): string {
  return ttl === 'automatic' ? 'cached by the provider itself' : `breakpoints live ${ttl}`
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
