import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { type Configuration, STORE_URL } from '../engines/configuration.ts'
import { makeHomeFolder } from '../home-folder.ts'
import { UsageError } from '../usage-error.ts'
import { databasePlace, filePlace, isAddress, type StorePlace } from './store-place.ts'

type PlacesOf = Pick<Configuration, 'config' | 'fileOf'>

export const NAME_THE_STORE = `name the store: --store <file or address>, or ${STORE_URL}, or in config.yaml "url: <file or address>" in the block "store:" (the sessions of coding agents need none: palimpsest sessions search)`

export function storePlace(configuration: PlacesOf, flag: string | undefined): StorePlace | undefined {
  if (flag !== undefined) return placeOf(flag, '--store', process.cwd(), configuration)
  const { url } = configuration.config.store
  const folder = dirname(configuration.fileOf('store', 'url'))
  return url === undefined ? undefined : placeOf(url, `${STORE_URL} or store.url`, folder, configuration)
}

/** The same, else that file of the user. */
export function storePlaceOrOwn(configuration: PlacesOf, flag: string | undefined, own: string): StorePlace {
  const place = storePlace(configuration, flag) ?? filePlace(own)
  if (place.kind === 'file') makeHomeFolder(dirname(place.path))
  return place
}

/**
 * Resolves an address, or a path relative to the folder. The block `store:` applies to every address.
 *
 * @param option The option's name, for errors.
 */
export function placeOf(
  named: string,
  option: string,
  folder: string,
  { config: { store } }: Pick<PlacesOf, 'config'>,
): StorePlace {
  if (isAddress(named)) {
    const options = {
      url: named,
      ...(store.schema !== undefined && { schema: store.schema }),
      ...(store.pool_size !== undefined && { poolSize: store.pool_size }),
      ...(store.statement_timeout !== undefined && { statementTimeout: store.statement_timeout }),
      ...(store.row_security !== undefined && { rowSecurity: store.row_security }),
      ...(store.migrate !== undefined && { migrate: store.migrate }),
    }
    return databasePlace(options, option)
  }
  const path = resolve(folder, inHome(named))
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${path} is a folder; name the file of the store`)
  return filePlace(path)
}

/** Expands `~`, which a shell does not do in a file or after an equals sign. */
function inHome(path: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith(`~${sep}`)
    ? join(homedir(), path.slice(1))
    : path
}
