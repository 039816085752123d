import { LedgerError } from './errors.ts'
import { type Currency, type OfficeId, officeOf } from './offices.ts'

export const categories = ['travel', 'meals', 'office', 'software', 'lodging', 'other'] as const
export type Category = (typeof categories)[number]

/** One line of the ledger. Entries are never changed and never deleted; a mistake is reversed. */
export interface Entry {
  readonly id: string
  readonly office: OfficeId
  /** UTC, ISO 8601. */
  readonly postedAt: string
  /** Smallest unit of the currency; negative for a refund or a reversal. */
  readonly amount: number
  readonly currency: Currency
  readonly vendor: string
  readonly category: Category
  readonly note: string
  /** The id of the entry that this one takes back. */
  readonly reverses?: string
  /** Fingerprint of the statement row that it came from. */
  readonly source?: string
}

/** An entry before the ledger has given it an id. */
export type Draft = Omit<Entry, 'id'>

export function validateDraft(draft: Draft): Draft {
  const office = officeOf(draft.office)
  if (draft.currency !== office.currency) {
    throw new LedgerError('bad-entry', `${office.city} books in ${office.currency}, not in ${draft.currency}`)
  }
  if (!Number.isSafeInteger(draft.amount) || draft.amount === 0) {
    throw new LedgerError('bad-entry', `amount must be a whole number of the smallest unit, not ${draft.amount}`)
  }
  if (draft.vendor.trim() === '') throw new LedgerError('bad-entry', 'vendor is empty')
  if (!categories.includes(draft.category)) {
    throw new LedgerError('bad-entry', `there is no category "${draft.category}"`)
  }
  if (Number.isNaN(Date.parse(draft.postedAt))) {
    throw new LedgerError('bad-entry', `postedAt "${draft.postedAt}" is not a time`)
  }
  return draft
}
