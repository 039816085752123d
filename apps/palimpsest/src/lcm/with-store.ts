import { accessSync, constants, statSync } from 'node:fs'
import { type LcmStore, StoreError } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { loadConfiguration } from '../engines/configuration.ts'
import { checkLcmOptions, LCM, principalOf } from '../engines/lcm-options.ts'
import { storePath } from '../engines/store-paths.ts'
import { UsageError } from '../usage-error.ts'

/** What to do about damage below the tables, where nothing can be mended. */
export const DAMAGE_ADVICE =
  'take an older copy, or export what can be read: palimpsest lcm export --session <id>'

/** What every command on a store is told. */
export interface StoreFlags {
  /** The store's file. Default: `lcm.store` of the configuration. */
  readonly store?: string
  readonly config?: string
  /** Whose sessions: a user or a tenant. Default: `lcm.principal` of the configuration, else `local`. */
  readonly principal?: string
  readonly json?: boolean
}

export interface OpenedStore {
  readonly store: LcmStore
  /** The file. */
  readonly path: string
  readonly principal: string
  /** What the configuration says of the engine. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * Runs on the store that the flags or the configuration name, and closes it however that ends.
 *
 * @param access `read` writes nothing; `check` neither, but takes a writer's lock where the file lets it, without
 * which SQLite does not compare its indexes with the texts; `create` makes the file when there is none.
 * @throws UsageError when no store is named or the file is not there; StoreError.
 */
export async function withStore<T>(
  flags: StoreFlags,
  access: 'read' | 'check' | 'write' | 'create',
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  await checkLcmOptions(configuration)
  const options = configuration.config.engines[LCM] ?? {}
  const path = storePath(LCM, configuration, flags.store)
  if (path === undefined)
    throw new UsageError(
      'name the store: --store <file>, or "store: <file>" in the block "lcm:" of config.yaml',
    )
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (access !== 'create' && !size)
    throw new UsageError(
      `there is no store ${path}${size === 0 ? ' (the file is empty)' : ''}; palimpsest lcm import <session files…> makes one`,
    )
  const store = createSqliteStore({
    path,
    readOnly: access === 'read' || (access === 'check' && !isWritable(path)),
    create: access === 'create',
  })
  try {
    return await run({ store, path, principal: flags.principal ?? principalOf(options), options })
  } catch (cause) {
    if (!StoreError.isInstance(cause) || cause.code !== 'STORE_CORRUPT') throw cause
    throw new UsageError(`${path} is damaged (${damageOf(cause)}); ${DAMAGE_ADVICE}`, { cause })
  } finally {
    await store.close()
  }
}

/** What SQLite said of it, if it was SQLite who saw it. */
export function damageOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
