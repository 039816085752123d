import { parseCsv } from './csv.ts'
import { LedgerError } from './errors.ts'
import { parseAmount } from './money.ts'
import type { Office } from './offices.ts'

/** One row of a bank statement, checked. */
export interface StatementRow {
  /** Line in the file, counted from 1; the header is line 1. */
  readonly line: number
  /** ISO 8601 with the office's own offset, as the bank writes it. */
  readonly bookedAt: string
  readonly vendor: string
  readonly amount: number
  /** The bank's reference of the transaction. */
  readonly reference: string
}

export interface RejectedRow {
  readonly line: number
  readonly reason: string
}

export interface Statement {
  readonly rows: readonly StatementRow[]
  readonly rejected: readonly RejectedRow[]
}

const columns = ['booked_at', 'vendor', 'amount', 'reference'] as const

export function readStatement(text: string, office: Office): Statement {
  const [header = [], ...lines] = parseCsv(text)
  const positions = columns.map((column) => header.indexOf(column))
  const missing = columns.filter((_, index) => positions[index] === -1)
  if (missing.length > 0) throw new LedgerError('bad-csv', `the statement has no column ${missing.join(', ')}`)

  const rows: StatementRow[] = []
  const rejected: RejectedRow[] = []
  lines.forEach((fields, index) => {
    const line = index + 2
    const [bookedAt = '', vendor = '', amount = '', reference = ''] = positions.map((at) => fields[at])
    try {
      if (Number.isNaN(Date.parse(bookedAt))) throw new LedgerError('bad-csv', `"${bookedAt}" is not a time`)
      rows.push({ line, bookedAt, vendor, amount: parseAmount(amount, office.currency), reference })
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      rejected.push({ line, reason: error.message })
    }
  })
  return { rows, rejected }
}
