import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidMessagesError, type Message, PalimpsestError } from '@palimpsest/core'

/** All messages of one session, in a file of its own. */
export interface MessageLog {
  /** The JSON text of each message, by its index in the transcript. */
  readonly texts: readonly string[]
  /** Messages from this index on; what stood there is replaced. */
  write(from: number, messages: readonly Message[]): void
  close(): void
}

/**
 * Opens the log of a session, which may be new. The file is only ever appended to. A line is an index and the JSON
 * text of the message there; it replaces what stood from the index on, so that a crash between two lines loses
 * neither. Without a text it says that the transcript ends there. A line that was not written to its end is dropped.
 */
export function openMessageLog(folder: string, sessionId: string): MessageLog {
  // A hash is a file name whatever the id holds; JSON keeps ids with half a surrogate pair apart.
  const name = createHash('sha256').update(JSON.stringify(sessionId)).digest('hex')
  const path = join(folder, `${name}.log`)
  const file = openSync(path, 'a')
  let isOpen = true
  const texts: string[] = []
  const put = (at: number, text: string): void => {
    texts.length = Math.min(texts.length, at)
    if (text !== '') texts.push(text)
  }
  for (const line of wholeLines(path)) {
    const end = line.indexOf(' ')
    put(Number(line.slice(0, end)), line.slice(end + 1))
  }

  return {
    texts,
    write(from, messages) {
      // The number of a closed file may be another file's by now.
      if (!isOpen) throw new PalimpsestError('DISPOSED', 'the engine was used after dispose()')
      if (from > texts.length)
        throw new InvalidMessagesError(`ingest began at message ${from}, but only ${texts.length} are known`)
      const entries = messages.map((message, index) => [from + index, JSON.stringify(message)] as const)
      if (from < texts.length) entries.unshift([from, ''])
      if (entries.length === 0) return
      writeSync(file, entries.map(([at, text]) => `${at} ${text}\n`).join(''))
      for (const [at, text] of entries) put(at, text)
    },
    close() {
      isOpen = false
      closeSync(file)
    },
  }
}

function wholeLines(path: string): string[] {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
  return bytes.subarray(0, end).toString().split('\n').slice(0, -1)
}
