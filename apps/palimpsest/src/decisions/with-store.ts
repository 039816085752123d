import { type DecisionStore, StoreError } from '@palimpsest/decisions'
import { DECISIONS } from '../engines/decisions-options.ts'
import { openDecisionStore } from '../stores/open-engine-store.ts'
import { type Opened, type StoreFlags, type StoreKind, withStoreOf } from '../stores/with-store.ts'

export type { StoreFlags }
export type OpenedStore = Opened<DecisionStore>

const DECISION_STORES: StoreKind<DecisionStore> = {
  engine: DECISIONS,
  open: openDecisionStore,
  advice: 'the engine "decisions" makes one',
  damage: (error, { name }) =>
    StoreError.isInstance(error) && error.code === 'STORE_CORRUPT'
      ? `${name} is damaged (${error.message}); palimpsest decisions verify says where`
      : undefined,
}

/** Runs on a store of decisions. `read` writes nothing; `create` makes the file or the tables when there are none. */
export function withStore<T>(
  flags: StoreFlags,
  access: 'read' | 'create',
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  return withStoreOf(DECISION_STORES, flags, access, run)
}
