import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { agentMessageId, type DatabasePlace, databasePlace, listAgentSessions } from '@palimpsest/transcripts'
import { sizeAndTime } from '../sessions/find-session-files.ts'
import type { IndexedFile } from './index-file.ts'

const MARK_BYTES = 4_096
const BLOCK_BYTES = 1 << 20

/**
 * A growing session: its facts, a hash of everything before a place, and the place of a line. Places are values of
 * `from` for `readTranscript`.
 */
export function sessionSource({ path }: Pick<IndexedFile, 'path'>) {
  const place = databasePlace(path)
  return place === undefined ? fileSource(path) : databaseSource(path, place)
}

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
    // A compressed file or a single document cannot be continued.
    placeOf: async (line: number, from: number): Promise<number> =>
      /\.jsonl$/.test(path) ? withFile(path, (handle) => lineStart(handle, line, from)) : 0,
  }
}

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

export async function isHalfWritten(path: string): Promise<boolean> {
  if (databasePlace(path) !== undefined) return false
  return withFile(path, async (handle) => {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
    return bytesRead === 1 && buffer[0] !== 10
  })
}

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
