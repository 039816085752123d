import { formatCsv } from './csv.ts'
import { type Category, categories } from './entry.ts'
import type { Ledger } from './ledger.ts'
import { formatAmount } from './money.ts'
import type { Office } from './offices.ts'

export interface ReportLine {
  readonly category: Category
  readonly count: number
  readonly amount: number
}

export interface Report {
  readonly office: Office
  readonly month: string
  /** Largest amount first; categories without entries are left out. */
  readonly lines: readonly ReportLine[]
  readonly total: number
}

export function monthReport(ledger: Ledger, office: Office, month: string): Report {
  const entries = ledger.list({ office: office.id, month })
  const lines = categories
    .map((category) => {
      const own = entries.filter((entry) => entry.category === category)
      return { category, count: own.length, amount: own.reduce((sum, entry) => sum + entry.amount, 0) }
    })
    .filter((line) => line.count > 0)
    .sort((a, b) => b.amount - a.amount)
  return { office, month, lines, total: lines.reduce((sum, line) => sum + line.amount, 0) }
}

export function reportText(report: Report): string {
  const { office, month, lines, total } = report
  const body = lines.map(
    (line) =>
      `${line.category.padEnd(10)}${String(line.count).padStart(5)}${formatAmount(line.amount, office.currency).padStart(16)}`,
  )
  const foot = `${'total'.padEnd(15)}${formatAmount(total, office.currency).padStart(16)}`
  return [`${office.city} ${month}`, ...body, foot, ''].join('\n')
}

/** The same table for a spreadsheet. */
export function reportCsv(report: Report): string {
  return formatCsv([
    ['category', 'count', 'amount'],
    ...report.lines.map((line) => [line.category, String(line.count), (line.amount / 100).toFixed(2)]),
  ])
}
