import { PalimpsestError } from '@palimpsest/core'

/**
 * Why a text cannot be imported:
 * - `EXPORT_TOO_LARGE`: it is longer than an import may be.
 * - `NOT_AN_EXPORT`: it is something else than an export of decisions.
 * - `EXPORT_TOO_NEW`: a newer version of this package wrote it.
 * - `EXPORT_DAMAGED`: it was changed or cut off since it was written.
 */
const CODES = ['EXPORT_TOO_LARGE', 'NOT_AN_EXPORT', 'EXPORT_TOO_NEW', 'EXPORT_DAMAGED'] as const

export type ExchangeErrorCode = (typeof CODES)[number]

/** Decisions could not be imported. None of them was. */
export class ExchangeError extends PalimpsestError {
  declare readonly code: ExchangeErrorCode

  constructor(code: ExchangeErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
  }

  /** True for errors of an import from any installed copy of this package. */
  static override isInstance(value: unknown): value is ExchangeError {
    return PalimpsestError.isInstance(value) && (CODES as readonly string[]).includes(value.code)
  }
}
