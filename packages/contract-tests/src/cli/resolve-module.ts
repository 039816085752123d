import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findEnginePackage, findPackage, PLUGIN_FILE, packageEntry, pluginEntry } from './package-entry.ts'
import { UsageError } from './read-arguments.ts'

/**
 * Finds the file behind what a person typed: a path, a folder with a package.json or plugin.yaml, the name of an
 * installed package, or of the engine in a direct dependency. What is none of these may be a path without its `./`.
 *
 * @returns the URL to import, and the file as messages name it, from the folder of the call.
 * @throws UsageError that says where it was looked for.
 */
export function resolveModule(
  typed: string,
  folder: string,
): { readonly url: string; readonly label: string } {
  const file = isPath(typed) ? fileOf(typed, folder) : installed(typed, folder)
  const label = relative(folder, file).replaceAll('\\', '/')
  return { url: pathToFileURL(file).href, label: label.startsWith('../') ? label : `./${label}` }
}

/** Anything else is a name first. */
function isPath(typed: string): boolean {
  return /^(?:\.{1,2}(?:[\\/]|$)|file:)/.test(typed) || isAbsolute(typed)
}

function fileOf(typed: string, folder: string): string {
  const path = typed.startsWith('file:') ? fileURLToPath(typed) : resolve(folder, typed)
  if (!existsSync(path)) throw new UsageError(`there is no file ${typed}; was it built?`)
  if (!statSync(path).isDirectory()) return path
  return existsSync(join(path, PLUGIN_FILE)) ? pluginEntry(path, typed) : packageEntry(path, typed)
}

function installed(name: string, from: string): string {
  const isName = /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name)
  const found = isName ? (findPackage(name, from) ?? findEnginePackage(name, from)) : undefined
  if (found !== undefined) return packageEntry(found, name)
  if (name !== '' && existsSync(resolve(from, name))) return fileOf(name, from)
  if (!isName)
    throw new UsageError(`${JSON.stringify(name)} is neither the name of a package nor a file that is there`)
  throw new UsageError(
    `no package ${name} in node_modules of this folder and above, and no dependency with an engine of that name; install it here first`,
  )
}
