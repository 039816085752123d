import { existsSync } from 'node:fs'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { InvalidOptionError } from '@palimpsest/core'
import { type Config, engineChoice, parseConfig } from '@palimpsest/core/config'
import {
  createEngineDiscovery,
  DEFAULT_ENGINE,
  type EngineDiscovery,
  type EngineEntry,
} from '@palimpsest/core/discovery'
import { SERVE_BLOCK } from '../serve/serve-defaults.ts'
import { UsageError } from '../usage-error.ts'
import { BUILT_IN_ENGINES } from './built-in-engines.ts'

/** In the environment: the address of the database, which may hold a password. It wins over `store.url`. */
export const STORE_URL = 'PALIMPSEST_STORE_URL'

/** The file that says which engine runs, and where engines are looked for. */
export interface ConfigFile {
  /** Where it is, or would be. */
  readonly path: string
  readonly exists: boolean
  /** Empty when it does not exist. */
  readonly text: string
  /** `context.engine`, or its default. */
  readonly choice: string
  /** Whether the text names one. */
  readonly isNamed: boolean
  /** The engines that a session of this folder can have. */
  readonly discovery: EngineDiscovery
}

/** The named file, else `config.yaml` in the folder. That one need not exist, a named one only if it may be missing. */
export async function readConfigFile(
  file: string | undefined,
  folder: string,
  { mayBeMissing = file === undefined }: { readonly mayBeMissing?: boolean } = {},
): Promise<ConfigFile> {
  const path = resolve(folder, file ?? 'config.yaml')
  await assertNoDeadLink(path)
  const exists = !mayBeMissing || existsSync(path)
  const text = exists ? await readFile(path, 'utf8').catch(unreadable(file ?? path)) : ''
  const discovery = createEngineDiscovery({ root: dirname(path), builtIn: BUILT_IN_ENGINES })
  const named = engineChoice(text)
  return { path, exists, text, choice: named ?? DEFAULT_ENGINE, isNamed: named !== undefined, discovery }
}

export interface Configuration extends ConfigFile {
  readonly config: Config
}

/**
 * The configuration from the named file, else from `config.yaml` in the folder, else the defaults. A block may be
 * named after any engine that is there.
 *
 * @throws InvalidOptionError that names the key, UsageError when the file cannot be read.
 */
export async function loadConfiguration(
  file: string | undefined,
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Configuration> {
  const configFile = await readConfigFile(file, folder)
  const { discovery, choice, text, path } = configFile
  const engines = blockNames(text, await discovery.list({ choice }))
  try {
    const config = parseConfig(text, { engines, fileName: file ?? join(folder, 'config.yaml') })
    const url = environment[STORE_URL]?.trim()
    return { ...configFile, config: url ? { ...config, store: { ...config.store, url } } : config }
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError) || file !== undefined) throw cause
    throw new UsageError(`${cause.message} (read from ${path}; --config names another file)`, { cause })
  }
}

/**
 * The names that a block may have. One that cannot be used may have one too, but is no name to offer to who wrote
 * another: it counts only where the text has it.
 */
export function blockNames(text: string, engines: readonly EngineEntry[]): string[] {
  const known = engines.filter(({ available, name }) => available || text.includes(name))
  return [...new Set([...known.map(({ name }) => name), SERVE_BLOCK])]
}

/** A link to nowhere looks like a missing file, and would be replaced by one. */
async function assertNoDeadLink(path: string): Promise<void> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
  if (!isLink || existsSync(path)) return
  throw new UsageError(
    `${path} is a link that points nowhere (to ${await readlink(path)}); mend it or remove it`,
  )
}

function unreadable(path: string) {
  return (cause: NodeJS.ErrnoException): never => {
    throw new UsageError(`the configuration ${path} cannot be read (${cause.code})`, { cause })
  }
}
