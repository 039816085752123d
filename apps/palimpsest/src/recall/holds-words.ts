import { type FileHandle, open } from 'node:fs/promises'
import { opencodeHolds } from '@palimpsest/transcripts'
import type { SessionFile } from '../sessions/find-session-files.ts'

/** A larger file is worth reading anyway. */
const MAX_BYTES = 128 << 20
/** Words of a hint that are looked for. */
const MOST_HINTS = 6

/** The words of a query that stand in a session's JSON as they are, the longest first: it is the rarest, mostly. */
export function plainWords(query: string): readonly string[] {
  const words = query.match(/[A-Za-z0-9_]{3,}/g) ?? []
  return [...new Set(words)].sort((a, b) => b.length - a.length)
}

/** The longest words of a question, or of a pattern, where classes, escapes and what may be missing are no words. */
export function hintWords(hint: string): readonly string[] {
  return plainWords(hint.replace(/\\.|\[[^\][]*\]|\w[?*{]/g, ' ')).slice(0, MOST_HINTS)
}

/**
 * A scan for the words that a session's bytes hold, in any case. It only says which sessions are worth reading first: the
 * search itself reads them.
 *
 * @param isAll no further word is looked for once one is missing.
 */
export function wordScan(
  words: readonly string[],
  isAll: boolean,
): (file: SessionFile) => Promise<readonly string[]> {
  const patterns = new Map(words.map((word) => [word, new RegExp(word, 'i')]))
  let buffer = Buffer.alloc(0)
  return async ({ agent, path }) => {
    let handle: FileHandle | undefined
    try {
      if (agent === 'opencode') return await held(words, isAll, (word) => opencodeHolds(path, word))
      handle = await open(path)
      const { size } = await handle.stat()
      if (size > MAX_BYTES) return words
      if (size > buffer.length) buffer = Buffer.allocUnsafe(size)
      const { bytesRead } = await handle.read(buffer, 0, size, 0)
      // One byte, one character: nothing is decoded.
      const text = buffer.toString('latin1', 0, bytesRead)
      return await held(words, isAll, async (word) => patterns.get(word)?.test(text) === true)
    } catch {
      return []
    } finally {
      await handle?.close()
    }
  }
}

async function held(
  words: readonly string[],
  isAll: boolean,
  holds: (word: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const word of words) {
    if (await holds(word)) found.push(word)
    else if (isAll) break
  }
  return found
}
