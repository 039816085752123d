import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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
  const own = readManifest(from)
  return LISTS.flatMap((list) => Object.keys(Object(own[list])))
    .map((name) => findPackage(name, from))
    .find((folder) => folder !== undefined && Object(readManifest(folder).contextEngine).name === engine)
}

/** What cannot be read has no engine to find. */
function readManifest(folder: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    return {}
  }
}
