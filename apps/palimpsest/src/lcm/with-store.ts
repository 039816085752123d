import { type LcmStore, StoreError } from '@palimpsest/lcm'
import { loadConfiguration } from '../engines/configuration.ts'
import { checkLcmOptions, LCM, principalOf } from '../engines/lcm-options.ts'
import { assertStoreThere } from '../stores/assert-store-there.ts'
import { nameTheStore, storePlace } from '../stores/find-store-place.ts'
import { openLcmStore, type StoreAccess } from '../stores/open-lcm-store.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'

/** What to do about damage below the tables, where nothing can be mended. */
export const DAMAGE_ADVICE =
  'take an older copy, or export what can be read: palimpsest lcm export --session <id>'

/** What every command on a store is told. */
export interface StoreFlags {
  /** A file, or the address of a database. Default: `lcm.store` or `store.url` of the configuration. */
  readonly store?: string
  readonly config?: string
  /** Whose sessions: a user or a tenant. Default: `lcm.principal` of the configuration, else `local`. */
  readonly principal?: string
  readonly json?: boolean
}

export interface OpenedStore {
  readonly store: LcmStore
  readonly place: StorePlace
  readonly principal: string
  /** What the configuration says of the engine. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Runs on the store that the flags or the configuration name, and closes it however that ends.
 *
 * @throws UsageError when no store is named or it is not there; StoreError.
 */
export async function withStore<T>(
  flags: StoreFlags,
  access: StoreAccess,
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  await checkLcmOptions(configuration)
  const options = configuration.config.engines[LCM] ?? {}
  const place = storePlace(LCM, configuration, flags.store)
  if (place === undefined) throw new UsageError(nameTheStore(LCM))
  const store = await openLcmStore(place, access)
  try {
    if (access !== 'create')
      await assertStoreThere(place, store, 'palimpsest lcm import <session files…> makes one')
    return await run({ store, place, principal: flags.principal ?? principalOf(options), options })
  } catch (cause) {
    if (!StoreError.isInstance(cause) || cause.code !== 'STORE_CORRUPT') throw cause
    throw new UsageError(`${place.name} is damaged (${damageOf(cause)}); ${DAMAGE_ADVICE}`, { cause })
  } finally {
    await store.close()
  }
}

/** What SQLite said of it, if it was SQLite who saw it. */
export function damageOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}
