import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { roughTokenCounter } from '@palimpsest/core'
import type { LcmSession } from '@palimpsest/lcm'
import { readTranscript, type TranscriptEntry, TranscriptError } from '@palimpsest/transcripts'
import { liveHashes } from '../lcm/match-recording.ts'
import { cutAt, storeRecording } from '../lcm/store-recording.ts'
import type { IndexedFile } from './index-file.ts'
import { recallable } from './redacting-store.ts'

/** Messages at the end that are read again: what follows may still change them, such as the results of their calls. */
const OPEN_MESSAGES = 3
/** Bytes in front of a place, and at the beginning, that tell a rewritten file. */
const MARK_BYTES = 4_096
const BLOCK_BYTES = 1 << 20

/**
 * Brings a session in line with its file, with secrets hidden. Only what was appended is read; a file that was rewritten
 * is read anew, and what it lost is deleted from the store. Whenever it ends, the next time goes on.
 *
 * @param isOver asked between batches whether to leave the rest for another time.
 */
export async function indexSessionFile(
  file: IndexedFile,
  session: LcmSession,
  isOver: () => boolean,
): Promise<IndexedFile> {
  const facts = await stat(file.path)
  const isGrown = file.resumeAt > 0 && file.mark === (await markOf(file.path, file.resumeAt))
  const from = isGrown
    ? { resumeAt: file.resumeAt, resumeSeq: file.resumeSeq }
    : { resumeAt: 0, resumeSeq: 0 }
  const entries = await readFrom(file.path, from.resumeAt)
  const before = await session.head()
  const stored = await storeRecording({
    ...{ session, entries, tokens: roughTokenCounter, at: facts.mtimeMs, isOver },
    from: from.resumeSeq,
  })
  if (isOver() && stored.known < entries.length) return file
  const seqs: number[] = []
  for await (const { seq } of liveHashes(session, from.resumeSeq)) seqs.push(seq)
  // The file was cut: what stands behind its end is not in it any more.
  const lost = seqs[entries.length]
  if (lost !== undefined) await cut(session, lost)
  if (stored.replaced > 0 || stored.further > 0) await forgetReplaced(session, from.resumeSeq, before.nextSeq)
  const whole = { ...file, ...from, bytes: facts.size, modifiedAt: facts.mtimeMs }
  const at = entries.findLastIndex(
    ({ message: { role } }, index) => index <= entries.length - OPEN_MESSAGES && role !== 'tool',
  )
  const [entry, seq] = [entries[at], seqs[at]]
  if (entry === undefined || seq === undefined) return isGrown ? whole : { ...whole, mark: '' }
  const resumeAt = await lineStart(file.path, from.resumeAt, entry.line)
  return { ...whole, resumeAt, resumeSeq: seq, mark: await markOf(file.path, resumeAt) }
}

async function readFrom(path: string, from: number): Promise<TranscriptEntry[]> {
  try {
    const { entries } = await readTranscript(path, { from })
    const own = from > 0 ? entries.filter(({ line }) => line > 1) : entries
    return own.map((entry) => ({ ...entry, message: recallable(entry.message) }))
  } catch (error) {
    // A session in which nothing was said yet, or something else than a session.
    if (TranscriptError.isInstance(error)) return []
    throw error
  }
}

async function cut(session: LcmSession, from: number): Promise<void> {
  const { nextSeq } = await session.head()
  await session.append({ nextSeq, messages: [], at: Date.now(), ...(await cutAt(session, from)) })
}

/** Deletes what the file does not hold any more. */
async function forgetReplaced(session: LcmSession, from: number, end: number): Promise<void> {
  const { replaced } = await session.head()
  for (const { first, last } of replaced) {
    const range = { first: Math.max(first, from), last: Math.min(last, end - 1) }
    if (range.first <= range.last)
      await session.forget({ ...range, reason: 'its file was rewritten', at: Date.now() })
  }
}

/** The place of a line, in bytes; line 2 stands at `from` when reading began there. */
async function lineStart(path: string, from: number, line: number): Promise<number> {
  let left = from > 0 ? line - 2 : line - 1
  let position = from
  return withFile(path, async (handle) => {
    const buffer = Buffer.allocUnsafe(BLOCK_BYTES)
    while (left > 0) {
      const { bytesRead } = await handle.read(buffer, 0, BLOCK_BYTES, position)
      if (bytesRead === 0) return 0
      const block = buffer.subarray(0, bytesRead)
      let end = -1
      while (left > 0) {
        end = block.indexOf(10, end + 1)
        if (end < 0) break
        left--
      }
      position += end < 0 ? bytesRead : end + 1
    }
    return position
  })
}

async function markOf(path: string, at: number): Promise<string> {
  return withFile(path, async (handle) => {
    const hash = createHash('sha256')
    for (const start of [0, Math.max(0, at - MARK_BYTES)]) {
      const length = Math.min(MARK_BYTES, at - start)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest('hex')
  })
}

async function withFile<T>(path: string, run: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r')
  try {
    return await run(handle)
  } finally {
    await handle.close()
  }
}
