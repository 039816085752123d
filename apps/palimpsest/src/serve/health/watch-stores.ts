import { errorText, PalimpsestError, redactSecrets } from '@palimpsest/core'

export interface StoreState extends Pick<CheckedStore, 'name' | 'kind'> {
  readonly ok: boolean
  /** For programs. */
  readonly code?: string
  readonly milliseconds: number
}

interface StoreWatchInput {
  readonly stores: readonly CheckedStore[]
  /** Milliseconds after which a store that has not answered is out of order. */
  readonly limit: number
  readonly log: (line: string) => void
}

/**
 * Asks each store whether it is in order; a check that hangs is not begun a second time. What changes is logged, with the
 * reason, which may name hosts: callers get the code.
 */
export function watchStores({ stores, limit, log }: StoreWatchInput): () => Promise<StoreState[]> {
  const running = new Map<CheckedStore, Promise<unknown>>()
  const wrong = new Map<CheckedStore, string>()

  const check = (store: CheckedStore): Promise<unknown> => {
    const known = running.get(store)
    if (known !== undefined) return known
    const checking = store.check().finally(() => running.delete(store))
    running.set(store, checking)
    return checking
  }

  const faultOf = async (store: CheckedStore): Promise<unknown> => {
    const { promise: late, resolve } = Promise.withResolvers<unknown>()
    const timer = setTimeout(
      () => resolve(new PalimpsestError('STORE_SLOW', `no answer in ${limit} ms`)),
      limit,
    )
    const answer = check(store).then(
      () => undefined,
      (error: unknown) => error,
    )
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }

  const note = (store: CheckedStore, code: string | undefined, fault: unknown): void => {
    if (wrong.get(store) === code) return
    if (code === undefined) wrong.delete(store)
    else wrong.set(store, code)
    const state =
      code === undefined ? 'answers again' : redactSecrets(errorText(fault)).replaceAll(/\s+/g, ' ')
    log(`${code === undefined ? 'palimpsest' : 'error'}: the store of ${store.name}: ${state}`)
  }

  return () =>
    Promise.all(
      stores.map(async (store) => {
        const from = performance.now()
        const fault = await faultOf(store)
        const milliseconds = Math.round(performance.now() - from)
        const code = fault === undefined ? undefined : codeOf(fault)
        note(store, code, fault)
        const { name, kind } = store
        return { name, kind, ok: code === undefined, ...(code !== undefined && { code }), milliseconds }
      }),
    )
}

function codeOf(fault: unknown): string {
  return PalimpsestError.isInstance(fault) ? fault.code : 'STORE_UNAVAILABLE'
}

/** A store that can be asked whether it is in order. */
export interface CheckedStore {
  /** `sessions`, or the name of an engine. */
  readonly name: string
  readonly kind: string
  /**
   * Reads something, and after a write to its file that failed tries one. Rejects with the error of a store that cannot be
   * used.
   */
  check(): Promise<unknown>
}
