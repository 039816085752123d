import { readFile } from 'node:fs/promises'
import type { Message, StoredProjection } from '@palimpsest/core'
import { UsageError } from '../../usage-error.ts'
import { type RecordEvent, type RecordHeader, readEvent, readHeader } from './record-line.ts'

export interface ReadRecord {
  readonly header: RecordHeader
  readonly messages: readonly Message[]
  /** The engine that was used last. */
  readonly engine: string
  /** What its session kept of the last compaction, if nothing of it was taken back. */
  readonly projection: StoredProjection | undefined
  /** Of the last line. */
  readonly at: number
  /** Length of what could be read, in bytes: where the next line belongs. */
  readonly bytes: number
  /** Whether a line behind that was cut off while it was written. */
  readonly isTorn: boolean
}

/**
 * Reads a record. A last line that was cut off by the end of a process was never acknowledged, and is left out.
 *
 * @throws UsageError for a file that cannot be read, is no record, or is damaged elsewhere.
 */
export async function readRecord(path: string): Promise<ReadRecord> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`the record ${path} cannot be read (${cause.code ?? cause.message})`, { cause })
  })
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
  const lines = whole.toString('utf8').split('\n').slice(0, -1)
  const [first] = lines
  if (first === undefined)
    throw new UsageError(`the record ${path} is empty: the program ended before anything was said`)
  const header = readHeader(first)
  if (header === undefined) throw new UsageError(`${path} is not the record of a chat, or of a newer version`)
  const events: RecordEvent[] = []
  let length = whole.length
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue
    const event = readEvent(line)
    if (event !== undefined) events.push(event)
    else if (index === lines.length - 1) length -= Buffer.byteLength(line) + 1
    else
      throw new UsageError(
        `the record ${path} is damaged in line ${index + 1}; mend that line or take it out`,
      )
  }
  return {
    header,
    messages: messagesOf(events),
    engine: events.findLast((event) => event.type === 'engine')?.engine ?? header.engine,
    projection: projectionOf(events),
    at: events.at(-1)?.at ?? header.created,
    bytes: length,
    isTorn: length < bytes.length,
  }
}

/** The last one that was kept. Every later line must add a message. */
function projectionOf(events: readonly RecordEvent[]): StoredProjection | undefined {
  const last = events.findLast(({ type }) => type !== 'message')
  return last?.type === 'projection' ? (last.projection ?? undefined) : undefined
}

function messagesOf(events: readonly RecordEvent[]): Message[] {
  const messages: Message[] = []
  for (const event of events) {
    if (event.type === 'message') messages.push(event.message)
    if (event.type === 'undo') messages.splice(event.keep)
    if (event.type === 'reset') messages.length = 0
  }
  return messages
}
