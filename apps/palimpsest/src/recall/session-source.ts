import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { agentMessageId, type DatabasePlace, databasePlace, listAgentSessions } from '@palimpsest/transcripts'
import { sizeAndTime } from '../sessions/find-session-files.ts'
import type { IndexedFile } from './index-file.ts'

/** Bytes in front of a place, and at the beginning, that tell a rewritten file. */
const MARK_BYTES = 4_096
const BLOCK_BYTES = 1 << 20

/**
 * A session that grows while it is read: its facts, a mark of everything before a place, which is another one when it was rewritten,
 * and the place of a line. Places are what `from` of `readTranscript` takes.
 */
export function sessionSource({ path }: Pick<IndexedFile, 'path'>) {
  const place = databasePlace(path)
  return place === undefined ? fileSource(path) : databaseSource(path, place)
}

/** The file that has to be the user's: of a session in a database, the database. */
export function fileOf({ path }: Pick<IndexedFile, 'path'>): string {
  return databasePlace(path)?.database ?? path
}

function fileSource(path: string) {
  return {
    facts: async () => sizeAndTime(await stat(path, { bigint: true })),
    markOf: (place: number): Promise<string> =>
      withFile(path, async (handle) => {
        const hash = createHash('sha256')
        for (const start of [0, Math.max(0, place - MARK_BYTES)]) {
          const length = Math.min(MARK_BYTES, place - start)
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
          hash.update(buffer.subarray(0, bytesRead))
        }
        return hash.digest('hex')
      }),
    // In a file that is packed, or one document, there is no place to go on from.
    placeOf: async (line: number, from: number): Promise<number> =>
      /\.jsonl$/.test(path) ? withFile(path, (handle) => lineStart(handle, line, from)) : 0,
  }
}

/** Places are numbers of messages that are passed over. */
function databaseSource(path: string, { database, id }: DatabasePlace) {
  return {
    async facts() {
      const [session] = await listAgentSessions(database, id)
      return session ?? { bytes: 0, modifiedAt: 0 }
    },
    markOf: async (place: number) => (await agentMessageId(path, place)) ?? '',
    placeOf: async (line: number, _from: number) => line - 1,
  }
}

/** Whether the last line of a file is not whole: an agent may be writing it. */
export async function isHalfWritten(path: string): Promise<boolean> {
  if (databasePlace(path) !== undefined) return false
  return withFile(path, async (handle) => {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    return bytesRead === 1 && buffer[0] !== 10
  })
}

/** Line 2 stands at `from` when reading began there. */
async function lineStart(handle: FileHandle, line: number, from: number): Promise<number> {
  let left = from > 0 ? line - 2 : line - 1
  let position = from
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
}

async function withFile<T>(path: string, run: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r')
  try {
    return await run(handle)
  } finally {
    await handle.close()
  }
}
