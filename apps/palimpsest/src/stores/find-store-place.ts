import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Configuration } from '../engines/configuration.ts'
import { UsageError } from '../usage-error.ts'
import { databasePlace, filePlace, isDatabaseUrl, type StorePlace } from './store-place.ts'

/** What of the configuration says where stores are. */
export type PlacesOf = Pick<Configuration, 'config' | 'path'>

/**
 * Where the store of an engine is: what is named for it, else the database that everything is kept in; undefined when
 * nothing is said.
 *
 * @throws UsageError when something else than a file or an address is named.
 */
export function storePlace(
  engine: string,
  configuration: PlacesOf,
  flag: string | undefined,
): StorePlace | undefined {
  return namedPlace(engine, configuration, flag) ?? sharedPlace(configuration)
}

/**
 * What `--store` names, a file or the address of a database, else `store` in the engine's block, where a path is
 * relative to the configuration's folder.
 */
export function namedPlace(
  engine: string,
  configuration: PlacesOf,
  flag?: string | undefined,
): StorePlace | undefined {
  const { config, path } = configuration
  if (flag !== undefined) return placeOf(flag, process.cwd(), configuration)
  const named = config.engines[engine]?.store
  if (named === undefined) return undefined
  if (typeof named === 'string' && named !== '') return placeOf(named, dirname(path), configuration)
  throw new UsageError(`${engine}.store must be the path of a file, such as "sessions.db" (in ${path})`)
}

/** The database that everything is kept in which is not told another place: `PALIMPSEST_STORE_URL`, else `store.url`. */
export function sharedPlace({ config }: PlacesOf): StorePlace | undefined {
  const { url } = config.store
  return url === undefined ? undefined : atUrl(url, config)
}

function placeOf(named: string, folder: string, { config }: PlacesOf): StorePlace {
  if (isDatabaseUrl(named)) return atUrl(named, config)
  const path = resolve(folder, inHome(named))
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder; name the file of the store`)
  return filePlace(path)
}

function atUrl(url: string, { store }: Configuration['config']): StorePlace {
  return databasePlace({
    url,
    ...(store.schema !== undefined && { schema: store.schema }),
    ...(store.pool_size !== undefined && { poolSize: store.pool_size }),
    ...(store.statement_timeout !== undefined && { statementTimeout: store.statement_timeout }),
    ...(store.row_security !== undefined && { rowSecurity: store.row_security }),
    ...(store.migrate !== undefined && { migrate: store.migrate }),
  })
}

/** A path as a shell would read it, which sees none that stands in a file or behind an equals sign. */
function inHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
