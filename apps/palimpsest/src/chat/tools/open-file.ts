import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { fileFault } from './file-fault.ts'
import { ToolFault } from './tool-fault.ts'
import type { Place } from './workspace.ts'

/**
 * Opens a file for reading. Nothing but a file is ever opened: a pipe or a device would wait for ever. Neither is what
 * was put in the file's place since it was located.
 *
 * @throws ToolFault
 */
export async function openFile({ path, shown }: Place): Promise<FileHandle> {
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
