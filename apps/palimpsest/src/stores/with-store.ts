import { existsSync } from 'node:fs'
import { PalimpsestError } from '@palimpsest/core'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { principalOf } from '../engines/lcm-options.ts'
import { UsageError } from '../usage-error.ts'
import { nameTheStore, storePlace } from './find-store-place.ts'
import type { StoreAccess } from './open-engine-store.ts'
import { isMissing, type StorePlace } from './store-place.ts'

/** Options of every command on a store. */
export interface StoreFlags {
  /** A file, or the address of a database. Default: `store` in the engine's block of the configuration, or `store.url`. */
  readonly store?: string
  readonly config?: string
  /** A user or a tenant. Default: `principal` in the engine's block, else `local`. */
  readonly principal?: string
  readonly json?: boolean
}

export interface Opened<Store> {
  readonly store: Store
  readonly place: StorePlace
  readonly principal: string
  /** The engine's block of the configuration. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A kind of store that commands work on. */
export interface StoreKind<Store> {
  readonly engine: string
  open(place: StorePlace, access: StoreAccess): Promise<Store>
  /** Refuses a configuration with a fault in the engine's block. Default: none is refused here. */
  check?(configuration: Configuration): Promise<void>
  /** For the error that says that there is no store: how one is made. */
  readonly advice: string
  /** The message of an error about a store that is damaged; undefined for any other error. */
  damage(error: unknown, place: StorePlace): string | undefined
}

/** Runs on the store that the flags or the configuration name, and closes it however that ends. */
export async function withStoreOf<Store extends Parameters<typeof assertStoreThere>[1] & Closable, T>(
  kind: StoreKind<Store>,
  flags: StoreFlags,
  access: StoreAccess,
  run: (opened: Opened<Store>) => Promise<T>,
): Promise<T> {
  const { engine, advice } = kind
  const configuration = await loadConfiguration(flags.config, process.cwd())
  await kind.check?.(configuration)
  const options = configuration.config.engines[engine] ?? {}
  const place = storePlace(engine, configuration, flags.store)
  if (place === undefined) throw new UsageError(nameTheStore(engine))
  const store = await kind.open(place, access)
  try {
    if (access !== 'create') await assertStoreThere(place, store, advice)
    return await run({ store, place, principal: flags.principal ?? principalOf(options), options })
  } catch (cause) {
    const damage = kind.damage(cause, place)
    throw damage === undefined ? cause : new UsageError(damage, { cause })
  } finally {
    await store.close()
  }
}

interface Closable {
  close(): Promise<void>
}

/** A key that no session has. */
const NO_SESSION = '#check'

interface Findable {
  find(ref: { readonly key: string }): Promise<unknown>
}

/** @param advice How one is made. */
export async function assertStoreThere(place: StorePlace, store: Findable, advice: string): Promise<void> {
  if (place.kind === 'file') {
    if (!isMissing(place)) return
    const isEmpty = existsSync(place.path) ? ' (the file is empty)' : ''
    throw new UsageError(`there is no store ${place.name}${isEmpty}; ${advice}`)
  }
  try {
    await store.find({ key: NO_SESSION })
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== 'NOT_A_STORE') throw cause
    // The server does not tell tables that are not there from those that the user may not see.
    throw new UsageError(
      `there is no store in ${place.name} that this user may see and that is up to date; ${advice}`,
      { cause },
    )
  }
}
