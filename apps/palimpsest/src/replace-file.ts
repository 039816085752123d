import { chmod, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { moveFile } from './move-file.ts'
import { UsageError } from './usage-error.ts'
import { describeWriteFault } from './write-fault.ts'

/**
 * Writes a file as a whole or not at all: a reader sees the old text or the new one. Links are followed, the mode
 * stays.
 *
 * @param mode of a file that is new.
 * @throws UsageError when it cannot be written; the file is as it was then.
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
