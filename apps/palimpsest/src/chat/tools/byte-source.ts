import type { FileHandle } from 'node:fs/promises'

/** Bytes that can be read from any place. */
export interface ByteSource {
  /** In bytes; a file may grow while it is read. */
  readonly size: number
  /** At most so many bytes from a position on; none behind the end. */
  read(position: number, length: number): Promise<Buffer>
}

export function fileSource(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    async read(position, length) {
      // Most files are much smaller than a piece. One byte more shows whether it has grown.
      const room = Math.min(length, Math.max(0, size - position) + 1)
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(room), 0, room, position)
      return buffer.subarray(0, bytesRead)
    },
  }
}

export function memorySource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  }
}
