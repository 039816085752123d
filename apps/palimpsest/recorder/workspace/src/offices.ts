import { LedgerError } from './errors.ts'

export type OfficeId = 'lisbon' | 'tokyo'
export type Currency = 'EUR' | 'JPY'

export interface Office {
  readonly id: OfficeId
  readonly city: string
  readonly currency: Currency
  /** IANA name. The accountants of an office think in its local days. */
  readonly timeZone: string
}

export const offices: Readonly<Record<OfficeId, Office>> = {
  lisbon: { id: 'lisbon', city: 'Lisbon', currency: 'EUR', timeZone: 'Europe/Lisbon' },
  tokyo: { id: 'tokyo', city: 'Tokyo', currency: 'JPY', timeZone: 'Asia/Tokyo' },
}

export function officeOf(id: string): Office {
  if (id === 'lisbon' || id === 'tokyo') return offices[id]
  throw new LedgerError('unknown-office', `there is no office "${id}"; the offices are lisbon and tokyo`)
}
