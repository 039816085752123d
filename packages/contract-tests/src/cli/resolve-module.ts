import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { packageEntry } from './package-entry.ts'
import { UsageError } from './usage-error.ts'

/** A module that a person named. */
export interface ResolvedModule {
  /** What can be imported. */
  readonly url: string
  /** The file, from the folder of the call: for messages. */
  readonly label: string
}

/**
 * Finds the file behind what a person typed: a path, a folder with a package.json, or the name of an installed
 * package.
 *
 * @throws UsageError that says where it was looked for.
 */
export function resolveModule(typed: string, folder: string): ResolvedModule {
  const file = isPath(typed) ? fileOf(typed, folder) : installed(typed, folder)
  const label = relative(folder, file).replaceAll('\\', '/')
  return { url: pathToFileURL(file).href, label: label.startsWith('../') ? label : `./${label}` }
}

/** Anything else is the name of a package. */
function isPath(typed: string): boolean {
  return /^(?:\.{1,2}(?:[\\/]|$)|file:)/.test(typed) || isAbsolute(typed)
}

function fileOf(typed: string, folder: string): string {
  const path = typed.startsWith('file:') ? fileURLToPath(typed) : resolve(folder, typed)
  if (!existsSync(path)) throw new UsageError(`there is no file ${typed}; was it built?`)
  return statSync(path).isDirectory() ? packageEntry(path, typed) : path
}

function installed(name: string, from: string): string {
  if (!/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name))
    throw new UsageError(
      `${JSON.stringify(name)} is not the name of a package; for a file, write ./ before it`,
    )
  for (let folder = from; ; folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return packageEntry(candidate, name)
    if (folder === join(folder, '..')) break
  }
  const hint = existsSync(resolve(from, name)) ? `; for the file, write ./${name}` : '; install it here first'
  throw new UsageError(`no package ${name} in node_modules of this folder and above${hint}`)
}
