import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from '@palimpsest/core'
import { entryFile } from './entry-file.ts'
import { UsageError } from './usage-error.ts'

interface Manifest {
  readonly contextEngine?: { readonly entry?: unknown }
  readonly exports?: unknown
  readonly main?: unknown
}

/** What Node looks for in `exports` when a module imports a package. */
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

/** What this process was started with, as `--conditions=name`. */
function ownConditions(): string[] {
  return process.execArgv.flatMap((arg) => /^(?:--conditions|-C)=(.+)$/.exec(arg)?.slice(1) ?? [])
}
