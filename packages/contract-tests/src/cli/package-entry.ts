import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { errorText } from '@palimpsest/core'
import { parse } from 'yaml'
import { UsageError } from './read-arguments.ts'

interface Manifest {
  readonly contextEngine?: { readonly entry?: unknown }
  readonly exports?: unknown
  readonly main?: unknown
}

/** Conditions by which Node reads `exports` when a module imports a package. */
const CONDITIONS = ['node', 'import', 'module-sync', 'default']

/**
 * The file that a package gives as its engine: `contextEngine.entry` of its package.json, else what an import of
 * the package would load.
 *
 * @throws UsageError
 */
export function packageEntry(folder: string, name: string): string {
  const { contextEngine, exports, main } = readManifest(folder, name)
  const entry = contextEngine?.entry ?? mainExport(exports) ?? main ?? 'index.js'
  return entryFile(folder, entry, `package.json of ${name}`)
}

function readManifest(folder: string, name: string): Manifest {
  const file = join(folder, 'package.json')
  if (!existsSync(file))
    throw new UsageError(`${name} is a folder without a package.json or plugin.yaml; name a file in it`)
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`package.json of ${name} cannot be read: ${errorText(error)}`)
  }
}

function mainExport(exports: unknown): unknown {
  const isMap = typeof exports === 'object' && exports !== null && '.' in exports
  return chosen(isMap ? exports['.'] : exports)
}

/** The first target whose conditions hold, as Node chooses. */
function chosen(target: unknown): unknown {
  if (typeof target !== 'object' || target === null) return target ?? undefined
  const conditions = [...CONDITIONS, ...ownConditions()]
  for (const [condition, inner] of Object.entries(target)) {
    const found = Array.isArray(target) || conditions.includes(condition) ? chosen(inner) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The conditions that this process was started with, as `--conditions=name`. */
function ownConditions(): string[] {
  return process.execArgv.flatMap((arg) => /^(?:--conditions|-C)=(.+)$/.exec(arg)?.slice(1) ?? [])
}

/**
 * The file of a folder that its manifest names as the engine.
 *
 * @param manifest what messages call it.
 * @throws UsageError
 */
function entryFile(folder: string, entry: unknown, manifest: string): string {
  if (typeof entry !== 'string') throw new UsageError(`${manifest} names no file as its engine`)
  const file = join(folder, entry)
  if (relative(folder, file).startsWith('..'))
    throw new UsageError(`${manifest} names ${entry}, which is outside of its folder`)
  if (!existsSync(file)) throw new UsageError(`${manifest} names ${entry}, which is not there; was it built?`)
  return file
}

/** The file that makes a folder a plugin. */
export const PLUGIN_FILE = 'plugin.yaml'

/** Where the engine is when the manifest does not say, the first that exists. */
const USUAL_ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs']

/**
 * The file that a folder with a plugin.yaml gives as its engine.
 *
 * @param name what messages call the folder.
 * @throws UsageError
 */
export function pluginEntry(folder: string, name: string): string {
  const manifest = `${PLUGIN_FILE} of ${name}`
  const { entry } = readPlugin(join(folder, PLUGIN_FILE), manifest)
  const usual = USUAL_ENTRIES.find((file) => existsSync(join(folder, file)))
  if (entry !== undefined || usual !== undefined) return entryFile(folder, entry ?? usual, manifest)
  throw new UsageError(
    `${name} has none of ${USUAL_ENTRIES.join(', ')}; name its file as "entry" in ${PLUGIN_FILE}`,
  )
}

function readPlugin(file: string, manifest: string): { readonly entry?: unknown } {
  try {
    return Object(parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`${manifest} cannot be read: ${errorText(error)}`)
  }
}

/** Where direct dependencies stand in a package.json. */
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies']

/** The folder of an installed package, as another folder sees it. */
export function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === join(folder, '..')) return undefined
  }
}

/**
 * The folder of the direct dependency whose engine has a name: `contextEngine.name` of its package.json, which is
 * what a configuration chooses by.
 */
export function findEnginePackage(engine: string, from: string): string | undefined {
  const own = looseManifest(from)
  return LISTS.flatMap((list) => Object.keys(Object(own[list])))
    .map((name) => findPackage(name, from))
    .find((folder) => folder !== undefined && Object(looseManifest(folder).contextEngine).name === engine)
}

/** The manifest of a folder. Empty when it cannot be read. */
function looseManifest(folder: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    return {}
  }
}
