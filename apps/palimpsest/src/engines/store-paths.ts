import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { Configuration } from './configuration.ts'

/**
 * The file of an engine's store that `--store` names, else `store` in the engine's block, which is relative to the
 * configuration's folder; undefined when neither does. `~/` is the home folder.
 *
 * @throws UsageError when the configuration has something else than a path there, or when it is a folder.
 */
export function storePath(
  engine: string,
  { config, path }: Pick<Configuration, 'config' | 'path'>,
  flag: string | undefined,
): string | undefined {
  const named =
    flag === undefined ? configuredPath(engine, config.engines[engine]?.store, path) : resolve(inHome(flag))
  if (named !== undefined && statSync(named, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${named} is a folder; name the file of the store`)
  return named
}

function configuredPath(engine: string, store: unknown, path: string): string | undefined {
  if (store === undefined) return undefined
  if (typeof store === 'string' && store !== '') return resolve(dirname(path), inHome(store))
  throw new UsageError(`${engine}.store must be the path of a file, such as "sessions.db" (in ${path})`)
}

/** A path as a shell would read it, which sees none that stands in a file or behind an equals sign. */
function inHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}
