import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import { readTextFile } from './entry-file.ts'
import { errorCode, errorLine, isMissing } from './one-line.ts'

/** Kilobytes; what packages publish is far below. */
const MAX_SIZE = 1024

export type PackageJson = Readonly<Record<string, unknown>>

/**
 * The real folder of a package, where Node would find it: in `node_modules` beside `root` or above. No folder is
 * listed, and what the package exports does not matter.
 *
 * @param root a real path.
 * @param name a valid package name.
 */
export async function findPackage(root: string, name: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (basename(folder) !== 'node_modules') {
      const found = await realFolder(join(folder, 'node_modules', name))
      if (found !== undefined) return found
    }
    if (dirname(folder) === folder) return undefined
  }
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new InvalidEngineError(`its folder cannot be read (${errorCode(error)})`, { cause: error })
  }
}

/**
 * The `package.json` in a folder, or `undefined` when there is none.
 *
 * @throws InvalidEngineError when it cannot be read, or is not an object in JSON.
 */
export async function readPackageJson(folder: string): Promise<PackageJson | undefined> {
  const text = await readTextFile(join(folder, 'package.json'), MAX_SIZE)
  if (text === undefined) return undefined
  const value = parseJson(text.replace(/^\ufeff/, ''))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as PackageJson
  throw new InvalidEngineError('package.json does not hold an object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidEngineError(`package.json is not valid JSON: ${errorLine(error)}`, { cause: error })
  }
}
