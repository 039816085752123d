import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UsageError } from './usage-error.ts'

/**
 * The file of a folder that its manifest names as the engine.
 *
 * @param manifest what messages call it.
 * @throws UsageError
 */
export function entryFile(folder: string, entry: unknown, manifest: string): string {
  if (typeof entry !== 'string') throw new UsageError(`${manifest} names no file as its engine`)
  const file = join(folder, entry)
  if (relative(folder, file).startsWith('..'))
    throw new UsageError(`${manifest} names ${entry}, which is outside of its folder`)
  if (!existsSync(file)) throw new UsageError(`${manifest} names ${entry}, which is not there; was it built?`)
  return file
}
