import { existsSync } from 'node:fs'
import { PalimpsestError, type Store } from '@palimpsest/core'
import { counted } from '../count.ts'
import { type Configuration, loadConfiguration } from '../engines/configuration.ts'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'
import { NAME_THE_STORE, storePlace } from './find-store-place.ts'
import { openStore, type StoreAccess } from './open-store.ts'
import { isMissing, type StorePlace } from './store-place.ts'

export interface StoreFlags {
  readonly store?: string
  readonly config?: string
  readonly principal?: string
  readonly json?: boolean
}

export interface OpenedStore {
  readonly store: Store
  readonly place: StorePlace
  readonly principal: string
  readonly configuration: Configuration
}

/** Damage below the tables cannot be repaired. */
const DAMAGE_ADVICE = 'take an older copy, or export what can be read: palimpsest store export --session <id>'

export async function withStore<T>(
  flags: StoreFlags,
  access: StoreAccess,
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const place = storePlace(configuration, flags.store)
  if (place === undefined) throw new UsageError(NAME_THE_STORE)
  const store = await openStore(place, access)
  try {
    if (access !== 'create') await assertStoreThere(place, store)
    const principal = flags.principal ?? configuration.config.store.principal
    const result = await run({ store, place, principal, configuration })
    warnOfDamage(place, store.damaged())
    return result
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== 'STORE_CORRUPT') throw cause
    // SQLite's own message, if it detected the damage.
    const damage = cause.cause instanceof Error ? cause.cause.message : cause.message
    throw new UsageError(`${place.name} is damaged (${damage}); ${DAMAGE_ADVICE}`, { cause })
  } finally {
    await store.close()
  }
}

const NAMED_ROWS = 5

function warnOfDamage({ name }: StorePlace, damaged: readonly string[]): void {
  if (damaged.length === 0) return
  const named = damaged.slice(0, NAMED_ROWS).map(printable).join(', ')
  const more = damaged.length > NAMED_ROWS ? ', …' : ''
  process.stderr.write(
    `palimpsest: ${counted(damaged.length, 'row')} of ${name} not as stored, and left out (${named}${more}); palimpsest store verify names all\n`,
  )
}

const NO_SESSION = '#check'
const ADVICE = 'palimpsest store import <session files…> makes one'

export async function assertStoreThere(place: StorePlace, store: Store): Promise<void> {
  if (place.kind === 'file') {
    if (!isMissing(place)) return
    const isEmpty = existsSync(place.path) ? ' (the file is empty)' : ''
    throw new UsageError(`there is no store ${place.name}${isEmpty}; ${ADVICE}`)
  }
  try {
    await store.find({ key: NO_SESSION })
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause) || cause.code !== 'NOT_A_STORE') throw cause
    // The server does not distinguish missing tables from those that the user may not see.
    throw new UsageError(
      `there is no store in ${place.name} that this user may see and that is up to date; ${ADVICE}`,
      { cause },
    )
  }
}
