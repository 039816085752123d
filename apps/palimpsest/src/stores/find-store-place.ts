import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { type Configuration, STORE_URL } from '../engines/configuration.ts'
import { UsageError } from '../usage-error.ts'
import { databasePlace, filePlace, isAddress, type StorePlace } from './store-place.ts'

type PlacesOf = Pick<Configuration, 'config' | 'fileOf'>

/**
 * Where the store of an engine is: what is named for it, else the database that everything is kept in; undefined when
 * nothing is said.
 */
export function storePlace(
  engine: string,
  configuration: PlacesOf,
  flag: string | undefined,
): StorePlace | undefined {
  return namedPlace(engine, configuration, flag) ?? sharedPlace(configuration)
}

/** An error's advice when no store is named. */
export function nameTheStore(engine: string): string {
  return `name the store: --store <file or address>, or in config.yaml "store: <file>" in the block "${engine}:", or "url: <address>" in the block "store:"`
}

/**
 * The value of `--store`, a file or the address of a database, else `store` in the engine's block, where a path is
 * relative to the folder of the configuration that says it.
 */
export function namedPlace(
  engine: string,
  configuration: PlacesOf,
  flag?: string | undefined,
): StorePlace | undefined {
  const { config, fileOf } = configuration
  if (flag !== undefined) return placeOf(flag, '--store', process.cwd(), configuration)
  const named = config.engines[engine]?.store
  if (named === undefined) return undefined
  const option = `${engine}.store`
  const path = fileOf(engine, 'store')
  if (typeof named === 'string' && named !== '') return placeOf(named, option, dirname(path), configuration)
  throw new UsageError(
    `${option} must be the path of a file, such as "sessions.db", or the address of a database (in ${path})`,
  )
}

/** The database that everything is kept in which is not told another place: `PALIMPSEST_STORE_URL`, else `store.url`. */
export function sharedPlace({ config }: PlacesOf): StorePlace | undefined {
  const { url } = config.store
  return url === undefined ? undefined : atUrl(url, `${STORE_URL} or store.url`, config)
}

/**
 * The place that a text means: an address, or a path from the folder.
 *
 * @param option What the text was given as, for errors.
 */
export function placeOf(
  named: string,
  option: string,
  folder: string,
  { config }: Pick<PlacesOf, 'config'>,
): StorePlace {
  if (isAddress(named)) return atUrl(named, option, config)
  const path = resolve(folder, inHome(named))
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder; name the file of the store`)
  return filePlace(path)
}

/** `option`: what names it. The block `store:` says how it is used, whoever names it. */
function atUrl(url: string, option: string, { store }: Configuration['config']): StorePlace {
  const options = {
    url,
    ...(store.schema !== undefined && { schema: store.schema }),
    ...(store.pool_size !== undefined && { poolSize: store.pool_size }),
    ...(store.statement_timeout !== undefined && { statementTimeout: store.statement_timeout }),
    ...(store.row_security !== undefined && { rowSecurity: store.row_security }),
    ...(store.migrate !== undefined && { migrate: store.migrate }),
  }
  return databasePlace(options, option)
}

/** A path as a shell would read it, which sees none that stands in a file or behind an equals sign. */
function inHome(path: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith(`~${sep}`)
    ? join(homedir(), path.slice(1))
    : path
}
