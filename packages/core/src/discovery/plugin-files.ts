import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { errorText, InvalidEngineError } from '../errors/errors.ts'
import { isObject, type Loose } from '../messages/json-value.ts'

const MAX_LINE = 300
const MAX_READ = 10_000

/**
 * The first non-empty line, safe to print: no escape sequences, control characters, direction marks or lone surrogates,
 * and at most 300 characters.
 */
export function oneLine(text: string): string {
  const [line = ''] = stripVTControlCharacters(text.slice(0, MAX_READ))
    .split(/[\r\n\u0085\u2028\u2029]/)
    .map((part) => part.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim())
    .filter((part) => part !== '')
  const characters = Array.from(line.toWellFormed())
  if (characters.length <= MAX_LINE) return characters.join('')
  return `${characters.slice(0, MAX_LINE - 1).join('')}…`
}

export function errorLine(error: unknown): string {
  try {
    return oneLine(String(errorText(error))) || 'an error without a text'
  } catch {
    return 'something that cannot be shown was thrown'
  }
}

export function errorCode(error: unknown): string {
  try {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}

const USUAL_ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs']

export async function findEntryFile(folder: string, entry: string | undefined): Promise<string> {
  for (const name of entry === undefined ? USUAL_ENTRIES : [entry]) {
    const file = await realFile(folder, name)
    if (file !== undefined) return file
  }
  throw new InvalidEngineError(
    entry === undefined
      ? `it has none of ${USUAL_ENTRIES.join(', ')}; add one that exports the engine by default, or name it as "entry" in plugin.yaml`
      : `its entry "${entry}" does not exist; build the plugin, or correct its manifest`,
  )
}

async function realFile(folder: string, entry: string): Promise<string | undefined> {
  // Checked twice: before the disk is read, and for the real path.
  assertInside(folder, resolve(folder, entry), entry)
  const file = await realpath(join(folder, entry)).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new InvalidEngineError(`its entry "${entry}" cannot be read (${errorCode(error)})`)
  })
  if (file === undefined) return undefined
  assertInside(folder, file, entry)
  if ((await stat(file)).isFile()) return file
  throw new InvalidEngineError(`its entry "${entry}" is not a file`)
}

function assertInside(folder: string, path: string, entry: string): void {
  if (isInside(folder, path) && !isAbsolute(entry)) return
  throw new InvalidEngineError(`its entry "${entry}" leads out of its folder; name a file inside of it`)
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Fails for a path that is not a file, because reading a pipe may never end. */
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
    throw new InvalidEngineError(`${name} cannot be read (${errorCode(error)}); check its permissions`)
  }
}

const MAX_PACKAGE_JSON = 1024

export async function readPackageJson(folder: string): Promise<Loose> {
  const text = (await readTextFile(join(folder, 'package.json'), MAX_PACKAGE_JSON)) ?? '{}'
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new InvalidEngineError(`package.json is not valid JSON: ${errorLine(error)}`)
  }
  if (isObject(value)) return value
  throw new InvalidEngineError('package.json does not hold an object')
}
