import { statSync } from 'node:fs'
import { type DecisionStore, StoreError } from '@palimpsest/decisions'
import { createSqliteDecisionStore } from '@palimpsest/decisions/sqlite'
import { loadConfiguration } from '../engines/configuration.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import { principalOf } from '../engines/lcm-options.ts'
import { storePath } from '../engines/store-paths.ts'
import { UsageError } from '../usage-error.ts'

/** What every command on a store of decisions is told. */
export interface StoreFlags {
  /** The store's file. Default: `decisions.store` of the configuration. */
  readonly store?: string
  readonly config?: string
  /** Whose decisions: a user or a tenant. Default: `decisions.principal` of the configuration, else `local`. */
  readonly principal?: string
  readonly json?: boolean
}

export interface OpenedStore {
  readonly store: DecisionStore
  /** The file. */
  readonly path: string
  readonly principal: string
}

/**
 * Runs on the store that the flags or the configuration name, and closes it however that ends.
 *
 * @param access `read` writes nothing; `create` makes the file when there is none.
 * @throws UsageError when no store is named or the file is not there; StoreError.
 */
export async function withStore<T>(
  flags: StoreFlags,
  access: 'read' | 'create',
  run: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const configuration = await loadConfiguration(flags.config, process.cwd())
  const path = storePath(DECISIONS, configuration, flags.store)
  if (path === undefined)
    throw new UsageError(
      'name the store: --store <file>, or "store: <file>" in the block "decisions:" of config.yaml',
    )
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (access === 'read' && !size)
    throw new UsageError(
      `there is no store ${path}${size === 0 ? ' (the file is empty)' : ''}; the engine "decisions" makes one, and palimpsest decisions import`,
    )
  const store = createSqliteDecisionStore({ path, readOnly: access === 'read', create: access === 'create' })
  const options = configuration.config.engines[DECISIONS] ?? {}
  try {
    return await run({ store, path, principal: flags.principal ?? principalOf(options) })
  } catch (cause) {
    if (!StoreError.isInstance(cause) || cause.code !== 'STORE_CORRUPT') throw cause
    throw new UsageError(`${path} is damaged (${cause.message}); palimpsest decisions verify says where`, {
      cause,
    })
  } finally {
    await store.close()
  }
}
