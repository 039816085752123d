import { existsSync } from 'node:fs'
import { lstat, readFile, readlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { InvalidOptionError } from '@palimpsest/core'
import type { BuiltInEngine } from '@palimpsest/core/discovery'
import {
  type Config,
  configValue,
  createEngineDiscovery,
  DEFAULT_ENGINE,
  type EngineDiscovery,
  type EngineEntry,
  engineChoice,
  parseConfig,
} from '@palimpsest/core/discovery'
import { homeFolder } from '../home-folder.ts'
import { reportFailure } from '../report-failure.ts'
import { SERVE_BLOCK } from '../serve/serve-defaults.ts'
import { UsageError } from '../usage-error.ts'

/**
 * The environment variable with the store's file or address, which may contain a password. Takes precedence over
 * `store.url`.
 */
export const STORE_URL = 'PALIMPSEST_STORE_URL'

const FILE = 'config.yaml'

export const CHOICE = ['context', 'engine'] as const

export interface ConfigFile {
  readonly path: string
  readonly exists: boolean
  readonly text: string
  readonly user: { readonly path: string; readonly text: string } | undefined
  readonly choice: string
  readonly isNamed: boolean
  fileOf(...keys: readonly string[]): string
  readonly discovery: EngineDiscovery
  readonly home: string
}

interface ReadConfigOptions {
  readonly mayBeMissing?: boolean
  readonly environment?: NodeJS.ProcessEnv
}

export async function readConfigFile(
  file: string | undefined,
  folder: string,
  { mayBeMissing = file === undefined, environment = process.env }: ReadConfigOptions = {},
): Promise<ConfigFile> {
  const home = homeFolder(environment)
  const path = resolve(folder, file ?? FILE)
  const own = await readText(path, file ?? path, mayBeMissing)
  const userPath = join(home, FILE)
  const userText =
    file !== undefined || userPath === path ? undefined : await readText(userPath, userPath, true)
  const user = userText === undefined ? undefined : { path: userPath, text: userText }
  const text = own ?? ''
  const fileOf = (...keys: readonly string[]): string => {
    const isUsers = configValue(text, keys) === undefined && configValue(user?.text ?? '', keys) !== undefined
    return isUsers ? userPath : path
  }
  const named = engineChoice(fileOf(...CHOICE) === path ? text : (user?.text ?? ''))
  return {
    path,
    exists: own !== undefined,
    text,
    user,
    choice: named ?? DEFAULT_ENGINE,
    isNamed: named !== undefined,
    fileOf,
    discovery: createEngineDiscovery({ root: dirname(path), userRoot: home, builtIn: BUILT_IN_ENGINES }),
    home,
  }
}

export interface Configuration extends ConfigFile {
  readonly config: Config
}

export async function loadConfiguration(
  file: string | undefined,
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Configuration> {
  const configFile = await readConfigFile(file, folder, { environment })
  const { discovery, choice, path } = configFile
  try {
    const config = parseConfigFile(configFile, await discovery.list({ choice }))
    tellWarnings(config)
    const named = environment[STORE_URL]?.trim()
    if (!named) return { ...configFile, config }
    const url = /^~|:/.test(named) ? named : resolve(folder, named)
    return { ...configFile, config: { ...config, store: { ...config.store, url } } }
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError) || file !== undefined) throw cause
    throw new UsageError(`${cause.message} (read from ${path}; --config names another file)`, { cause })
  }
}

function parseConfigFile({ path, text, user }: ConfigFile, engines: readonly EngineEntry[]): Config {
  const names = blockNames(`${user?.text}\n${text}`, engines)
  try {
    if (user !== undefined) parseConfig(user.text, { engines: names, fileName: user.path })
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError)) throw cause
    throw new UsageError(`${cause.message} (read from ${user?.path}; --config names another file)`, { cause })
  }
  return parseConfig(text, { engines: names, fileName: path, base: user?.text, baseName: user?.path })
}

/** Prints faults of a configuration, and settings without effect, to stderr. */
export function tellFaults(file: ConfigFile, engines: readonly EngineEntry[]): void {
  try {
    tellWarnings(parseConfigFile(file, engines))
  } catch (error) {
    reportFailure(error)
  }
}

function tellWarnings({ warnings }: Pick<Config, 'warnings'>): void {
  for (const { message } of warnings) process.stderr.write(`palimpsest: ${message}\n`)
}

/** Unusable engines are included only if the text has their block, so that they are not suggested. */
function blockNames(text: string, engines: readonly EngineEntry[]): string[] {
  const known = engines.filter(({ available, name }) => available || text.includes(name))
  return [...new Set([...known.map(({ name }) => name), SERVE_BLOCK])]
}

async function readText(path: string, shown: string, mayBeMissing: boolean): Promise<string | undefined> {
  await assertNoDeadLink(path)
  if (mayBeMissing && !existsSync(path)) return undefined
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`the configuration ${shown} cannot be read (${cause.code}); check its permissions`, {
      cause,
    })
  })
}

/** A dangling link looks like a missing file and would be replaced by one. */
async function assertNoDeadLink(path: string): Promise<void> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false
  if (!isLink || existsSync(path)) return
  throw new UsageError(
    `${path} is a link that points nowhere (to ${await readlink(path)}); mend it or remove it`,
  )
}

const require = createRequire(import.meta.url)

const BUILT_IN_ENGINES: readonly BuiltInEngine[] = [
  {
    name: 'compressor',
    version: require('@palimpsest/compressor/package.json').version,
    description: 'Replaces the middle of a conversation by a structured summary (lossy, no store)',
    load: () => import('@palimpsest/compressor'),
  },
  {
    name: 'lcm',
    version: require('@palimpsest/lcm/package.json').version,
    description:
      'Shows older messages as summaries and keeps all of them within reach (lossless, with a store)',
    load: () => import('@palimpsest/lcm'),
  },
  {
    name: 'decisions',
    version: require('@palimpsest/decisions/package.json').version,
    description: 'Keeps what was decided, with its sources, in front of the model (over lcm, or on its own)',
    load: () => import('@palimpsest/decisions'),
  },
]
