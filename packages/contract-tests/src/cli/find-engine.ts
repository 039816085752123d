import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorText } from '@palimpsest/core'
import { UsageError } from './read-arguments.ts'

/**
 * Resolves a path, a folder, or the name of an installed package.
 *
 * @returns The URL to import, and the file's name for messages, relative to the caller's folder.
 * @throws UsageError
 */
export function findEngine(typed: string, folder: string): { readonly url: string; readonly label: string } {
  const isPath = typed.startsWith('.') || isAbsolute(typed) || existsSync(resolve(folder, typed))
  const found = isPath ? resolve(folder, typed) : findPackage(typed, folder)
  if (found === undefined || !existsSync(found))
    throw new UsageError(
      isPath
        ? `there is no file ${typed}; was it built?`
        : `no package ${typed} in node_modules of this folder and above; install it here first`,
    )
  const file = statSync(found).isDirectory() ? entryOf(found, typed) : found
  const label = relative(folder, file).replaceAll('\\', '/')
  return { url: pathToFileURL(file).href, label: label.startsWith('../') ? label : `./${label}` }
}

function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === join(folder, '..')) return undefined
  }
}

const PLUGIN_ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs']

/** The entry of a folder: `contextEngine.entry` of its package.json, else its main export, else a plug-in's module. */
function entryOf(folder: string, typed: string): string {
  const entry = existsSync(join(folder, 'package.json'))
    ? packageEntry(folder, typed)
    : PLUGIN_ENTRIES.find((file) => existsSync(join(folder, file)))
  if (entry === undefined)
    throw new UsageError(
      `${typed} is a folder without a package.json and without index.ts; name a file in it`,
    )
  const file = join(folder, entry)
  if (!existsSync(file))
    throw new UsageError(`package.json of ${typed} names ${entry}, which is not there; was it built?`)
  return file
}

function packageEntry(folder: string, typed: string): string {
  try {
    const {
      contextEngine,
      exports,
      main = 'index.js',
    } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return contextEngine?.entry ?? mainExport(exports?.['.'] ?? exports) ?? main
  } catch (error) {
    throw new UsageError(`package.json of ${typed} cannot be read: ${errorText(error)}`)
  }
}

function mainExport(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  const { import: imported, default: otherwise } = Object(target)
  return imported === undefined && otherwise === undefined ? undefined : mainExport(imported ?? otherwise)
}
