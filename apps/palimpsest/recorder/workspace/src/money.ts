import { LedgerError } from './errors.ts'
import type { Currency } from './offices.ts'

/** Decimal places of the smallest unit that we book: a cent, a whole yen. */
const decimals: Readonly<Record<Currency, number>> = { EUR: 2, JPY: 0 }

const symbols: Readonly<Record<Currency, string>> = { EUR: '€', JPY: '¥' }

/** Reads `1,234.50` or `-980` as an integer of the smallest unit. No floating point on the way. */
export function parseAmount(text: string, currency: Currency): number {
  const match = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim())
  if (match === null) throw new LedgerError('bad-amount', `"${text}" is not an amount`)
  const [, sign = '', whole = '', fraction = ''] = match
  const places = decimals[currency]
  if (fraction.length > places) {
    throw new LedgerError('bad-amount', `"${text}" has more than ${places} decimals for ${currency}`)
  }
  const units = Number(whole.replaceAll(',', '') + fraction.padEnd(places, '0'))
  if (!Number.isSafeInteger(units)) throw new LedgerError('bad-amount', `"${text}" is too large`)
  return sign === '-' ? -units : units
}

export function formatAmount(amount: number, currency: Currency): string {
  const places = decimals[currency]
  const digits = String(Math.abs(amount)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = places === 0 ? '' : `.${digits.slice(-places)}`
  return `${amount < 0 ? '-' : ''}${symbols[currency]}${whole}${fraction}`
}

/** Splits an amount into `parts` integers that add up to it; the first ones carry the remainder. */
export function splitEvenly(amount: number, parts: number): number[] {
  const base = Math.trunc(amount / parts)
  const rest = amount - base * parts
  return Array.from({ length: parts }, (_, index) => base + (index < Math.abs(rest) ? Math.sign(rest) : 0))
}
