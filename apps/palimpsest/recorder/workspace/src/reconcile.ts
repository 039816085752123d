import type { Entry } from './entry.ts'
import type { Ledger } from './ledger.ts'
import type { Office } from './offices.ts'
import { readStatement, type StatementRow } from './statement.ts'

export interface Reconciliation {
  readonly statementTotal: number
  readonly ledgerTotal: number
  /** Ledger minus statement; zero when they agree. */
  readonly difference: number
  /** Rows of the statement that the ledger's month does not have. */
  readonly missing: readonly StatementRow[]
  /** Entries of the ledger's month that the statement does not have. */
  readonly extra: readonly Entry[]
}

/** Compares one month of one office with the bank's statement of that month. */
export function reconcile(options: {
  readonly ledger: Ledger
  readonly office: Office
  readonly month: string
  readonly text: string
}): Reconciliation {
  const { ledger, office, month, text } = options
  const { rows } = readStatement(text, office)
  const entries = ledger.list({ office: office.id, month })
  const unmatched = [...entries]
  const missing: StatementRow[] = []
  for (const row of rows) {
    const at = unmatched.findIndex((entry) => matches(entry, row))
    if (at === -1) missing.push(row)
    else unmatched.splice(at, 1)
  }
  const statementTotal = total(rows)
  const ledgerTotal = total(entries)
  return { statementTotal, ledgerTotal, difference: ledgerTotal - statementTotal, missing, extra: unmatched }
}

function matches(entry: Entry, row: StatementRow): boolean {
  return (
    entry.amount === row.amount &&
    entry.vendor === row.vendor &&
    Date.parse(entry.postedAt) === Date.parse(row.bookedAt)
  )
}

function total(items: readonly { readonly amount: number }[]): number {
  return items.reduce((sum, item) => sum + item.amount, 0)
}
