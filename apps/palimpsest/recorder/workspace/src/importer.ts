import type { Draft } from './entry.ts'
import type { Ledger } from './ledger.ts'
import type { Office } from './offices.ts'
import { categoryOf } from './rules.ts'
import { type RejectedRow, readStatement, type StatementRow } from './statement.ts'

export interface ImportResult {
  readonly imported: number
  readonly duplicates: number
  readonly rejected: readonly RejectedRow[]
}

/** Books every row of a statement that the ledger does not have yet. Importing a file twice is harmless. */
export function importStatement(options: {
  readonly ledger: Ledger
  readonly office: Office
  readonly text: string
}): ImportResult {
  const { ledger, office, text } = options
  const statement = readStatement(text, office)
  const known = new Set(ledger.list({ office: office.id }).map((entry) => entry.source))
  let imported = 0
  let duplicates = 0
  for (const row of statement.rows) {
    const source = fingerprint(office, row)
    if (known.has(source)) {
      duplicates += 1
      continue
    }
    known.add(source)
    ledger.post(draftOf(office, row, source))
    imported += 1
  }
  return { imported, duplicates, rejected: statement.rejected }
}

function draftOf(office: Office, row: StatementRow, source: string): Draft {
  return {
    office: office.id,
    postedAt: new Date(row.bookedAt).toISOString(),
    amount: row.amount,
    currency: office.currency,
    vendor: row.vendor,
    category: categoryOf(row.vendor),
    note: '',
    source,
  }
}

function fingerprint(office: Office, row: StatementRow): string {
  return [office.id, row.bookedAt, row.vendor, row.amount].join('|')
}
