import { type ByteSource, fileSource, memorySource } from './byte-source.ts'
import { fileKind, KIND_BYTES, shownSize } from './file-kind.ts'
import { openFile } from './open-file.ts'
import { ToolFault } from './tool-fault.ts'
import { TOOL_LIMITS } from './tool-limits.ts'
import type { Place } from './workspace.ts'

/**
 * Hands out the bytes of a text file as UTF-8, and closes it when the work is done.
 *
 * @throws ToolFault for what is no text.
 */
export async function withTextFile<T>(place: Place, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await openFile(place)
  try {
    const { size } = await handle.stat()
    const file = fileSource(handle, size)
    const kind = fileKind(await file.read(0, KIND_BYTES))
    if (kind.encoding === null)
      throw new ToolFault(
        `${place.shown} is ${kind.kind} of ${shownSize(size)}, which cannot be read as text`,
      )
    if (kind.encoding === 'utf-8') return await work(file)
    if (size > TOOL_LIMITS.wholeBytes)
      throw new ToolFault(
        `${place.shown} is text in ${kind.encoding} of ${shownSize(size)}: too large to convert`,
      )
    const text = new TextDecoder(kind.encoding).decode(await file.read(0, size))
    return await work(memorySource(Buffer.from(text)))
  } finally {
    await handle.close()
  }
}
