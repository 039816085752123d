import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { fileFault, ToolFault } from './tool.ts'
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

/** Bytes that can be read from any place. */
export interface ByteSource {
  /** In bytes; a file may grow while it is read. */
  readonly size: number
  /** At most so many bytes from a position on; none behind the end. */
  read(position: number, length: number): Promise<Buffer>
}

function fileSource(handle: FileHandle, size: number): ByteSource {
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

function memorySource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (position, length) => bytes.subarray(position, position + length),
  }
}

/**
 * Opens a file for reading. Nothing but a file is ever opened: a pipe or a device would wait for ever. Neither is what
 * was put in the file's place since it was located.
 *
 * @throws ToolFault
 */
async function openFile({ path, shown }: Place): Promise<FileHandle> {
  try {
    assertFile(await lstat(path), shown)
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      assertFile(await handle.stat(), shown)
      if ((await realpath(path)) !== path)
        throw new ToolFault(`${shown} was moved while it was opened; try again`)
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  } catch (error) {
    throw fileFault(shown, error)
  }
}

function assertFile(facts: Stats, shown: string): void {
  if (facts.isFile()) return
  if (facts.isDirectory()) throw new ToolFault(`${shown} is a folder; list_files shows what is in it`)
  throw new ToolFault(`${shown} is ${entryKind(facts)} and not a file; it is not opened`)
}

function entryKind(facts: Stats): string {
  if (facts.isFIFO()) return 'a pipe'
  if (facts.isSocket()) return 'a socket'
  return facts.isSymbolicLink() ? 'a link' : 'a device'
}

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

/** Beginnings of files, and the names of their formats for people. */
const BEGINNINGS: readonly (readonly [bytes: string, kind: string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['RIFF', 'a WebP image or a sound'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive or an office document'],
  ['\x1f\x8b', 'a gzip archive'],
  ['\x28\xb5\x2f\xfd', 'a Zstandard archive'],
  ['\x7fELF', 'a program or library'],
  ['\xcf\xfa\xed\xfe', 'a program or library'],
  ['MZ', 'a program or library'],
  ['\0asm', 'a WebAssembly module'],
  ['SQLite format 3\0', 'an SQLite database'],
]

/** Bytes from the beginning of a file that tell what it is. */
const KIND_BYTES = 8_192

/** `utf-8`: also what only looks like it. */
type FileKind =
  | { readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  | { readonly encoding: null; readonly kind: string }

/** The kind of a file, by its beginning: text does not contain a NUL byte, unless it is UTF-16 and says so. */
function fileKind(beginning: Buffer): FileKind {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return { encoding: 'utf-16le' }
  if (beginning[0] === 0xfe && beginning[1] === 0xff) return { encoding: 'utf-16be' }
  const start = beginning.toString('latin1', 0, 16)
  const known = BEGINNINGS.find(([bytes]) => start.startsWith(bytes))
  // A text may begin with the letters of such a name.
  if (!beginning.includes(0))
    return known?.[1] === 'a PDF document' ? binary(known[1]) : { encoding: 'utf-8' }
  return binary(known?.[1] ?? 'a binary file')
}

function binary(kind: string): FileKind {
  return { encoding: null, kind }
}

/** A size for people and models. */
export function shownSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`
}
