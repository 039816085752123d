import { open } from 'node:fs/promises'
import { errorText, type Loose } from '@palimpsest/core'
import { parseObject } from './json-object.ts'

/** The part of a file that is read to see how it began, in bytes: agents write long instructions before the first word. */
export const START_BYTES = 128 * 1024

/** The first lines of a file. */
export interface FileStart {
  readonly lines: readonly Loose[]
  /** The file goes on behind them. */
  readonly goesOn: boolean
  /** Why there is nothing to be read. */
  readonly problem?: string
}

/** Reads the first whole lines of a file, those that are JSON objects. Never rejects. */
export async function readStart(path: string, bytes = START_BYTES): Promise<FileStart> {
  try {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
      return parseStart(buffer.toString('utf8', 0, bytesRead), bytesRead === bytes)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { lines: [], goesOn: false, problem: `cannot be read (${code ?? errorText(error)})` }
  }
}

function parseStart(text: string, goesOn: boolean): FileStart {
  if (text.trim() === '') return { lines: [], goesOn, problem: 'empty' }
  const texts = text.split('\n')
  // What was cut off is no line.
  if (goesOn) texts.pop()
  const lines = texts.map(parseObject).filter((line) => line !== undefined)
  // One line may be longer than what was read.
  const problem =
    lines.length === 0 && texts.length > 0 ? { problem: 'no session: its lines are not JSON' } : {}
  return { lines, goesOn, ...problem }
}
