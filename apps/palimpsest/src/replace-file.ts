import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from './usage-error.ts'

/**
 * Writes a file as a whole or not at all: a reader sees the old text or the new one. Links are followed, the mode
 * stays.
 *
 * @param mode of a file that is new.
 */
export async function replaceFile(
  path: string,
  text: string | Iterable<string>,
  mode = 0o644,
): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const existing = await stat(target).catch(() => undefined)
  const temporary = join(dirname(target), `.palimpsest-${process.pid}`)
  try {
    // Root may write anywhere, but a file that is marked read-only is meant to stay.
    if (existing !== undefined && (existing.mode & 0o222) === 0) throw new Error('it is read-only')
    await writeFile(temporary, text, { mode: existing?.mode ?? mode, flag: 'wx' })
    // The process's mask holds for new files; this one only takes the place of another.
    if (existing !== undefined) await chmod(temporary, existing.mode & 0o7777)
    await moveFile(temporary, target)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw new UsageError(`${path} cannot be written: ${describeWriteFault(path, cause)}`, { cause })
  }
}

/** Why a file cannot be written, in words where they are known. */
export function describeWriteFault(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `the folder ${dirname(path)} is missing`
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'a file is where a folder should be'
  if (code === 'EACCES' || code === 'EPERM') return 'that is not permitted'
  if (code === 'EBUSY') return 'another program has it open'
  if (code === 'EROFS') return 'the file system can only be read'
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'EFBIG') return 'it would be larger than files may be here'
  return code ?? message
}

/** Milliseconds before each further try: a second, all together. */
const PAUSES = [10, 40, 150, 300, 500]
const HELD: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM', 'EACCES'])

/**
 * Puts a file into the place of another one. On Windows it is tried again for a second where that fails: whoever reads the other
 * file, an indexer or a virus scanner too, holds it for a moment. Rejects with what the file system says.
 */
export async function moveFile(
  from: string,
  to: string,
  { platform = process.platform, move = rename } = {},
): Promise<void> {
  for (const pause of platform === 'win32' ? PAUSES : []) {
    try {
      return await move(from, to)
    } catch (error) {
      if (!HELD.has((error as NodeJS.ErrnoException).code)) throw error
    }
    await sleep(pause)
  }
  await move(from, to)
}
