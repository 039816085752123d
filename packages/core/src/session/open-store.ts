import type { Clock, EngineDefinition, Store, StoredSession } from '../spec/v1/index.ts'

interface OpenStoreInput {
  readonly store?: Store | undefined
  readonly make?: EngineDefinition['store']
  readonly principal?: string | undefined
  readonly key: string
  readonly clock: Clock
}

interface OpenedStore {
  readonly open: (() => Promise<StoredSession>) | undefined
  readonly close: () => Promise<void>
}

export function openStore({ store, make, principal, key, clock }: OpenStoreInput): OpenedStore {
  let made: Store | undefined
  let opened: Promise<StoredSession> | undefined
  const find = async (): Promise<StoredSession> => {
    const own = store ?? made ?? (await make?.())
    if (store === undefined) made = own
    return (own as Store).session({ key, ...(principal !== undefined && { principal }) }, clock.now())
  }
  const open = (): Promise<StoredSession> => {
    opened ??= find().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const hasStore = store !== undefined || make !== undefined
  return { open: hasStore ? open : undefined, close: async () => made?.close() }
}
