import { type DecisionStore, StoreError } from '@palimpsest/decisions'
import { loadConfiguration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { principalOf } from '../engines/lcm-options.ts'
import { assertStoreThere } from '../stores/assert-store-there.ts'
import { nameTheStore, storePlace } from '../stores/find-store-place.ts'
import { openDecisionStore } from '../stores/open-decision-store.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'

/** What every command on a store of decisions is told. */
export interface StoreFlags {
  /** A file, or the address of a database. Default: `decisions.store` or `store.url` of the configuration. */
  readonly store?: string
  readonly config?: string
  /** Whose decisions: a user or a tenant. Default: `decisions.principal` of the configuration, else `local`. */
  readonly principal?: string
  readonly json?: boolean
}

export interface OpenedStore {
  readonly store: DecisionStore
  readonly place: StorePlace
  readonly principal: string
}

/**
 * Runs on the store that the flags or the configuration name, and closes it however that ends.
 *
 * @param access `read` writes nothing; `create` makes the file or the tables when there are none.
 * @throws UsageError when no store is named or it is not there; StoreError.
 */
export async function withStore<T>(
  flags: StoreFlags,
  access: 'read' | 'create',
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const place = storePlace(DECISIONS, configuration, flags.store)
  if (place === undefined) throw new UsageError(nameTheStore(DECISIONS))
  const store = await openDecisionStore(place, access)
  const options = configuration.config.engines[DECISIONS] ?? {}
  try {
    if (access === 'read')
      await assertStoreThere(
        place,
        store,
        'the engine "decisions" makes one, and palimpsest decisions import',
      )
    return await run({ store, place, principal: flags.principal ?? principalOf(options) })
  } catch (cause) {
    if (!StoreError.isInstance(cause) || cause.code !== 'STORE_CORRUPT') throw cause
    throw new UsageError(
      `${place.name} is damaged (${cause.message}); palimpsest decisions verify says where`,
      {
        cause,
      },
    )
  } finally {
    await store.close()
  }
}
