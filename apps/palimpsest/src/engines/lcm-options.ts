import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { errorText, InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/config'
import { UsageError } from '../usage-error.ts'
import type { Configuration } from './configuration.ts'

/** The name of the engine, and of its block in `config.yaml`. */
export const LCM = 'lcm'

/**
 * The file of the store that `--store` names, else `store` in the block `lcm:`, which is relative to the
 * configuration's folder; undefined when neither does. `~/` is the home folder.
 *
 * @throws UsageError when the configuration has something else than a path there, or when it is a folder.
 */
export function storePath(
  { config, path }: Pick<Configuration, 'config' | 'path'>,
  flag: string | undefined,
): string | undefined {
  const named = flag === undefined ? configuredPath(config.engines[LCM]?.store, path) : resolve(inHome(flag))
  if (named !== undefined && statSync(named, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${named} is a folder; name the file of the store`)
  return named
}

function configuredPath(store: unknown, path: string): string | undefined {
  if (store === undefined) return undefined
  if (typeof store === 'string' && store !== '') return resolve(dirname(path), inHome(store))
  throw new UsageError(`lcm.store must be the path of a file, such as "sessions.db" (in ${path})`)
}

/** A path as a shell would read it, which sees none that stands in a file or behind an equals sign. */
function inHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
}

/**
 * Checks the options of the engine without making one.
 *
 * @throws UsageError that names the option, what would be right, and the file.
 */
export async function checkLcmOptions({
  config,
  path,
}: Pick<Configuration, 'config' | 'path'>): Promise<void> {
  const { store: _, ...options } = config.engines[LCM] ?? {}
  const { lcmOptionsSchema } = await import('@palimpsest/lcm')
  try {
    parseOptions(lcmOptionsSchema, options, LCM)
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError)) throw cause
    throw new UsageError(`${errorText(cause)} (in the block "${LCM}:" of ${path})`, { cause })
  }
}

/** The options of the engine with a store in the place of its path, which the engine opens and closes. */
export async function lcmOptions(
  options: Record<string, unknown>,
  path: string | undefined,
): Promise<Record<string, unknown>> {
  if (path === undefined) return options
  const { createSqliteStore } = await import('@palimpsest/lcm/sqlite')
  return { ...options, store: () => createSqliteStore({ path }) }
}

/** Whose sessions the engine writes. */
export function principalOf({ principal }: Readonly<Record<string, unknown>>): string {
  return typeof principal === 'string' ? principal : 'local'
}
