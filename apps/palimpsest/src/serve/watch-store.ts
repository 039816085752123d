import { errorText, PalimpsestError, redactSecrets, type Store } from '@palimpsest/core'

export interface StoreState {
  readonly kind: Store['kind']
  readonly ok: boolean
  readonly code?: string
  readonly milliseconds: number
}

/** Callers' names contain no such character, so the session cannot exist. */
const CHECK_KEY = '#check'

/**
 * Checks a store's health. Changes are logged with their reason, which may name hosts; callers get only the code.
 *
 * @param limit Milliseconds after which a store counts as unavailable.
 */
export function watchStore(store: Store, limit: number, log: (line: string) => void) {
  const { kind } = store
  let wrong: string | undefined
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
