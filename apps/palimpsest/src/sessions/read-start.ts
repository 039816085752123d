import { open } from 'node:fs/promises'
import { errorText, isObject, type Loose } from '@palimpsest/core'
import { listOpencodeSessions, type OpencodeSession } from '@palimpsest/transcripts'
import type { SessionFile } from './find-session-files.ts'

/** The part of a file that is read to see how it began, in bytes: agents write long instructions before the first word. */
export const START_BYTES = 128 * 1024

interface FileStart {
  readonly lines: readonly Loose[]
  readonly goesOn: boolean
  readonly problem?: string
}

/** Reads the first whole lines of a file, those that are JSON objects; of a database, the same facts. Never rejects. */
export async function readStart(
  { agent, path }: Pick<SessionFile, 'agent' | 'path'>,
  bytes = START_BYTES,
): Promise<FileStart> {
  try {
    if (agent === 'opencode') {
      const [session] = await listOpencodeSessions(...databaseOf(path))
      return { lines: session === undefined ? [] : [openedBy(session)], goesOn: false }
    }
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

export function databaseOf(path: string): [database: string, id: string] {
  const at = path.lastIndexOf('#')
  return [path.slice(0, at), path.slice(at + 1)]
}

/** In the words of an agent's file. */
function openedBy({ directory, began }: OpencodeSession): Loose {
  return { cwd: directory, message: { role: 'user', content: began } }
}

function parseStart(text: string, goesOn: boolean): FileStart {
  if (text.trim() === '') return { lines: [], goesOn, problem: 'empty' }
  const texts = text.split('\n')
  // A line that was cut off is none.
  if (goesOn) texts.pop()
  const lines = texts.map(parseObject).filter((line) => line !== undefined)
  // One line may be longer than what was read.
  const problem =
    lines.length === 0 && texts.length > 0 ? { problem: 'no session: its lines are not JSON' } : {}
  return { lines, goesOn, ...problem }
}

/** The object that a line of JSON is; undefined for everything else. */
export function parseObject(line: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The value as a text that says something; undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
