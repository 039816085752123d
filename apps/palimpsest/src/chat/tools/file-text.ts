import { fileKind, KIND_BYTES, shownSize } from './file-kind.ts'
import { openFile } from './open-file.ts'
import { ToolFault } from './tool-fault.ts'
import { TOOL_LIMITS } from './tool-limits.ts'
import type { Place } from './workspace.ts'

/**
 * The whole text of a file that is to be changed: one that can be written back byte for byte, a byte order mark included.
 *
 * @throws ToolFault for what is no UTF-8 text, or too large.
 */
export async function fileText(place: Place): Promise<string> {
  const handle = await openFile(place)
  try {
    const { size } = await handle.stat()
    if (size > TOOL_LIMITS.editBytes)
      throw new ToolFault(`${place.shown} has ${shownSize(size)}, which is too much to edit; use run_command`)
    const bytes = await handle.readFile()
    const kind = fileKind(bytes.subarray(0, KIND_BYTES))
    if (kind.encoding === null)
      throw new ToolFault(`${place.shown} is ${kind.kind}, which cannot be edited as text`)
    if (kind.encoding !== 'utf-8') throw notUtf8(place, kind.encoding)
    return decode(bytes, place)
  } finally {
    await handle.close()
  }
}

function decode(bytes: Buffer, place: Place): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw notUtf8(place, 'another encoding than UTF-8')
  }
}

function notUtf8({ shown }: Place, encoding: string): ToolFault {
  return new ToolFault(
    `${shown} is in ${encoding}: editing it would change bytes elsewhere in it; use run_command`,
  )
}
