import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from './usage-error.ts'

/**
 * Replaces a file atomically. Links are followed, and the mode stays.
 *
 * @param mode The mode of a new file.
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
    // Root may write anywhere, but a read-only file is meant to stay.
    if (existing !== undefined && (existing.mode & 0o222) === 0) throw new Error('it is read-only')
    await writeFile(temporary, text, { mode: existing?.mode ?? mode, flag: 'wx' })
    // The umask applies to new files; this one replaces another.
    if (existing !== undefined) await chmod(temporary, existing.mode & 0o7777)
    await moveFile(temporary, target)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw new UsageError(`${path} cannot be written: ${describeWriteFault(path, cause)}`, { cause })
  }
}

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

const PAUSES = [10, 40, 150, 300, 500]
const HELD: ReadonlySet<string | undefined> = new Set(['EBUSY', 'EPERM', 'EACCES'])

/**
 * Retries for a second on Windows, where a reader, an indexer or a virus scanner may hold the file. Rejects with the
 * file system's error.
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
