import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { InvalidEngineError } from '@palimpsest/core'
import { errorCode, isMissing } from './error-code.ts'

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
