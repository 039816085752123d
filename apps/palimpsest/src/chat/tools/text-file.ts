import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { fileFault, ToolFault } from './tool.ts'
import type { Place } from './workspace.ts'

const MAX_BYTES = 10 * 1024 * 1024

/** Only regular files are opened: reading a pipe or device may never end. */
export async function readText(place: Place): Promise<string> {
  return new TextDecoder('utf-8').decode(await textBytes(place))
}

/** The text must be writable byte for byte. @throws ToolFault */
export async function readExactText(place: Place): Promise<string> {
  const bytes = await textBytes(place)
  const { shown } = place
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ToolFault(`${shown} is not text in UTF-8; use run_command to change it`, { cause })
  }
}

async function textBytes({ path, shown }: Place): Promise<Buffer> {
  const bytes = await readBytes(path, shown)
  if (bytes.includes(0))
    throw new ToolFault(`${shown} is a binary file and cannot be read as text; use run_command to look at it`)
  return bytes
}

async function readBytes(path: string, shown: string): Promise<Buffer> {
  try {
    const facts = await lstat(path)
    if (facts.isDirectory()) throw new ToolFault(`${shown} is a folder; list_files shows what is in it`)
    if (!facts.isFile()) throw new ToolFault(`${shown} is a pipe, a device or a link; name a regular file`)
    if (facts.size > MAX_BYTES)
      throw new ToolFault(
        `${shown} is larger than ${MAX_BYTES} bytes; use run_command to see or change parts`,
      )
    // A link or pipe put in the file's place meanwhile is not followed.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw fileFault(shown, error)
  }
}
