import { errorText, PalimpsestError, redactSecrets, type Store } from '@palimpsest/core'

export interface StoreState {
  readonly kind: Store['kind']
  readonly ok: boolean
  readonly code?: string
  readonly milliseconds: number
}

/** A session that does not exist: callers' names take no such character. */
const CHECK_KEY = '#check'

/**
 * Asks a store whether it is in order. What changes is logged, with the reason, which may name hosts: callers get the code.
 *
 * @param limit milliseconds after which a store that has not answered is out of order.
 */
export function watchStore(store: Store, limit: number, log: (line: string) => void) {
  const { kind } = store
  let wrong: string | undefined
  /** A check that hangs is not begun a second time. */
  let checking: Promise<unknown> | undefined
  return async (): Promise<StoreState> => {
    const from = performance.now()
    const late = new Promise<never>((_, reject) => {
      const slow = new PalimpsestError('STORE_SLOW', `no answer in ${limit} ms`)
      AbortSignal.timeout(limit).addEventListener('abort', () => reject(slow))
    })
    checking ??= store.find({ key: CHECK_KEY }).finally(() => {
      checking = undefined
    })
    const error: unknown = await Promise.race([checking, late]).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    const milliseconds = Math.round(performance.now() - from)
    if (error === undefined) {
      if (wrong !== undefined) log('palimpsest: the store answers again')
      wrong = undefined
      return { kind, ok: true, milliseconds }
    }
    const code = PalimpsestError.isInstance(error) ? error.code : 'STORE_UNAVAILABLE'
    if (wrong !== code) log(`error: the store: ${redactSecrets(errorText(error)).replaceAll(/\s+/g, ' ')}`)
    wrong = code
    return { kind, ok: false, code, milliseconds }
  }
}
