import { errorText, PalimpsestError, redactSecrets } from '@palimpsest/core'

/** A store that can be asked whether it is in order. */
export interface CheckedStore {
  /** `sessions`, or the name of an engine. */
  readonly name: string
  readonly kind: string
  /** Reads something. Rejects with the error of a store that cannot be used. */
  check(): Promise<unknown>
}

export interface StoreState extends Pick<CheckedStore, 'name' | 'kind'> {
  readonly ok: boolean
  /** For programs. */
  readonly code?: string
  readonly milliseconds: number
}

/**
 * Asks each store whether it is in order. What changes is logged, with the reason, which may name hosts: callers get the
 * code.
 *
 * @param limit milliseconds after which a store that has not answered is out of order.
 */
export function watchStores(
  stores: readonly CheckedStore[],
  limit: number,
  log: (line: string) => void,
): () => Promise<StoreState[]> {
  const wrong = new Map<CheckedStore, string>()
  /** A check that hangs is not begun a second time. */
  const running = new Map<CheckedStore, Promise<unknown>>()
  const check = (store: CheckedStore): Promise<unknown> => {
    const checking = running.get(store) ?? store.check().finally(() => running.delete(store))
    running.set(store, checking)
    return checking
  }

  const stateOf = async (store: CheckedStore): Promise<StoreState> => {
    const { name, kind } = store
    const from = performance.now()
    const late = new Promise<never>((_, reject) => {
      const slow = new PalimpsestError('STORE_SLOW', `no answer in ${limit} ms`)
      AbortSignal.timeout(limit).addEventListener('abort', () => reject(slow))
    })
    const fault: unknown = await Promise.race([check(store), late]).then(
      () => undefined,
      (error: unknown) => error,
    )
    const milliseconds = Math.round(performance.now() - from)
    const code = PalimpsestError.isInstance(fault) ? fault.code : 'STORE_UNAVAILABLE'
    if (fault === undefined) {
      if (wrong.delete(store)) log(`palimpsest: the store of ${name}: answers again`)
      return { name, kind, ok: true, milliseconds }
    }
    if (wrong.get(store) !== code)
      log(`error: the store of ${name}: ${redactSecrets(errorText(fault)).replaceAll(/\s+/g, ' ')}`)
    wrong.set(store, code)
    return { name, kind, ok: false, code, milliseconds }
  }

  return () => Promise.all(stores.map(stateOf))
}
