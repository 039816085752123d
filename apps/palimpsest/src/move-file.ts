import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

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
