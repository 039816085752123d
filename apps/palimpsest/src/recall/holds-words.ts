import { type FileHandle, open } from 'node:fs/promises'
import { opencodeHolds } from '@palimpsest/transcripts'
import type { SessionFile } from '../sessions/find-session-files.ts'

/** A larger file is worth reading anyway. */
const MAX_BYTES = 128 << 20

/** The words of a query that stand in a session's JSON as they are, the longest first: it is the rarest, mostly. */
export function plainWords(query: string): readonly string[] {
  const words = query.match(/[A-Za-z0-9_]{3,}/g) ?? []
  return [...new Set(words)].sort((a, b) => b.length - a.length)
}

/**
 * A scan for sessions whose bytes hold every word, in any case. It only says which files are worth reading first: the
 * search itself reads them.
 */
export function wordScan(words: readonly string[]): (file: SessionFile) => Promise<boolean> {
  const patterns = words.map((word) => new RegExp(word, 'i'))
  let buffer = Buffer.alloc(0)
  return async ({ agent, path }) => {
    let handle: FileHandle | undefined
    try {
      if (agent === 'opencode') return await opencodeHolds(path, words)
      handle = await open(path)
      const { size } = await handle.stat()
      if (size > MAX_BYTES) return true
      if (size > buffer.length) buffer = Buffer.allocUnsafe(size)
      const { bytesRead } = await handle.read(buffer, 0, size, 0)
      // One byte, one character: nothing is decoded.
      const text = buffer.toString('latin1', 0, bytesRead)
      return patterns.every((pattern) => pattern.test(text))
    } catch {
      return false
    } finally {
      await handle?.close()
    }
  }
}
