import { markErrors, PalimpsestError } from '@palimpsest/core'

/**
 * Why a text cannot be imported:
 * - `EXPORT_TOO_LARGE`: it is longer than an import may be.
 * - `NOT_AN_EXPORT`: it is something else than an export of decisions.
 * - `EXPORT_TOO_NEW`: a newer version of this package wrote it.
 * - `EXPORT_DAMAGED`: it was changed or cut off since it was written.
 */
export type ExchangeErrorCode = 'EXPORT_TOO_LARGE' | 'NOT_AN_EXPORT' | 'EXPORT_TOO_NEW' | 'EXPORT_DAMAGED'

/** Decisions could not be imported. None of them was. */
export class ExchangeError extends PalimpsestError {
  static override readonly isInstance = markErrors<ExchangeError>(ExchangeError, 'decisions.exchange')

  declare readonly code: ExchangeErrorCode

  constructor(code: ExchangeErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
  }
}
