import type { Category } from './entry.ts'
import type { Ledger } from './ledger.ts'
import type { Office, OfficeId } from './offices.ts'

/** What a category may cost in a month, in the smallest unit. A category without a limit is not watched. */
export const limits: Readonly<Record<OfficeId, Partial<Record<Category, number>>>> = {
  lisbon: { travel: 120_000, meals: 90_000, office: 60_000, software: 250_000, lodging: 200_000 },
  tokyo: { travel: 180_000, meals: 120_000, office: 80_000, software: 300_000, lodging: 260_000 },
}

export interface BudgetLine {
  readonly category: Category
  readonly limit: number
  readonly spent: number
  readonly left: number
}

export function monthBudget(ledger: Ledger, office: Office, month: string): BudgetLine[] {
  const lines: BudgetLine[] = []
  for (const [category, limit] of Object.entries(limits[office.id]) as [Category, number][]) {
    const entries = ledger.list({ office: office.id, month, category })
    const spent = entries.reduce((sum, entry) => sum + entry.amount, 0)
    lines.push({ category, limit, spent, left: limit - spent })
  }
  return lines
}
