import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/** An engine was used after `dispose()`. Code `DISPOSED`. */
export class DisposedError extends PalimpsestError {
  static override readonly isInstance = markErrors<DisposedError>(DisposedError, 'core.disposed')

  constructor(engine: string) {
    super('DISPOSED', `the engine "${engine}" was used after dispose(); create a new one`)
  }
}
