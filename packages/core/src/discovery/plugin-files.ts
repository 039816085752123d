import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { InvalidEngineError } from '../errors/errors.ts'
import { isObject, type Loose } from '../messages/loose.ts'
import { errorCode, errorLine, isMissing } from './one-line.ts'

/** Where the default export is when a manifest does not say, the first that exists. */
const USUAL_ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs']

/**
 * The real path of the module that a plugin's folder exports by default.
 *
 * @param folder a real path.
 * @throws InvalidEngineError for an entry that leads out of the folder, is missing or is no file.
 */
export async function findEntryFile(folder: string, entry: string | undefined): Promise<string> {
  if (entry !== undefined) {
    const file = await realFile(folder, entry)
    if (file !== undefined) return file
    throw new InvalidEngineError(
      `its entry "${entry}" does not exist; build the plugin, or correct its manifest`,
    )
  }
  for (const usual of USUAL_ENTRIES) {
    const file = await realFile(folder, usual)
    if (file !== undefined) return file
  }
  throw new InvalidEngineError(
    `it has none of ${USUAL_ENTRIES.join(', ')}; add one that exports the engine by default, or name it as "entry" in plugin.yaml`,
  )
}

async function realFile(folder: string, entry: string): Promise<string | undefined> {
  // Before the disk is asked, and again for what the path turned out to be.
  assertInside(folder, resolve(folder, entry), entry)
  try {
    const file = await realpath(join(folder, entry))
    assertInside(folder, file, entry)
    if ((await stat(file)).isFile()) return file
  } catch (error) {
    if (error instanceof InvalidEngineError) throw error
    if (isMissing(error)) return undefined
    throw new InvalidEngineError(`its entry "${entry}" cannot be read (${errorCode(error)})`, {
      cause: error,
    })
  }
  throw new InvalidEngineError(`its entry "${entry}" is not a file`)
}

function assertInside(folder: string, path: string, entry: string): void {
  if (isInside(folder, path) && !isAbsolute(entry)) return
  throw new InvalidEngineError(`its entry "${entry}" leads out of its folder; name a file inside of it`)
}

/** Whether a path is below a folder, going by the texts of both. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * The text of a file, or `undefined` when there is none.
 *
 * @throws InvalidEngineError for a path that is not a file (reading a pipe may never end), or a file that is too large or cannot be read.
 */
export async function readTextFile(file: string, maxKilobytes: number): Promise<string | undefined> {
  const name = basename(file)
  try {
    const found = await stat(file)
    if (!found.isFile()) throw new InvalidEngineError(`${name} is not a file`)
    if (found.size > maxKilobytes * 1024)
      throw new InvalidEngineError(`${name} is larger than ${maxKilobytes} KB; shorten it`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof InvalidEngineError) throw error
    if (isMissing(error)) return undefined
    throw new InvalidEngineError(`${name} cannot be read (${errorCode(error)}); check its permissions`, {
      cause: error,
    })
  }
}

/** Kilobytes; what packages publish is far below. */
const MAX_SIZE = 1024

export type PackageJson = Loose

/**
 * The `package.json` in a folder, or `undefined` when there is none.
 *
 * @throws InvalidEngineError when it cannot be read, or is not an object in JSON.
 */
export async function readPackageJson(folder: string): Promise<PackageJson | undefined> {
  const text = await readTextFile(join(folder, 'package.json'), MAX_SIZE)
  if (text === undefined) return undefined
  const value = parseJson(text.replace(/^\ufeff/, ''))
  if (isObject(value)) return value
  throw new InvalidEngineError('package.json does not hold an object')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidEngineError(`package.json is not valid JSON: ${errorLine(error)}`, { cause: error })
  }
}
