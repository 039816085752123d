import { LedgerError } from './errors.ts'

/** The accounting month, `YYYY-MM`, that a time falls into. */
export function monthOf(timestamp: string): string {
  return timestamp.slice(0, 7)
}

export function assertMonth(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
    throw new LedgerError('bad-request', `"${month}" is not a month; write it as 2026-03`)
  }
  return month
}

export function nextMonth(month: string): string {
  const [year = 0, number = 0] = assertMonth(month).split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}
