import { dirname, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { Configuration } from './configuration.ts'

/** The name of the engine, and of its block in `config.yaml`. */
export const LCM = 'lcm'

/**
 * The file of the store that `--store` names, else `store` in the block `lcm:`, which is relative to the
 * configuration's folder; undefined when neither does.
 *
 * @throws UsageError when the configuration has something else than a path there.
 */
export function storePath(
  { config, path }: Pick<Configuration, 'config' | 'path'>,
  flag: string | undefined,
): string | undefined {
  if (flag !== undefined) return resolve(flag)
  const store = config.engines[LCM]?.store
  if (store === undefined) return undefined
  if (typeof store === 'string' && store !== '') return resolve(dirname(path), store)
  throw new UsageError(`lcm.store must be the path of a file, such as "sessions.db" (in ${path})`)
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
