import { constants, type FileHandle, open } from 'node:fs/promises'
import { isObject, type Loose, looseOf, type Message, type ToolCall } from '@palimpsest/core'
import { isOwnUser } from '../is-own-user.ts'
import { parseObject } from '../sessions/json-object.ts'

/** The messages that a compaction of a Claude Code session took out of the window. */
export interface Compacted {
  /** The user's messages from the beginning on, the assistant's of the end alone. */
  readonly messages: readonly Message[]
  /** Empty where the file does not hold it yet. */
  readonly summary: string
  /** Behind the summary stands what an earlier hook has added. */
  readonly isAdded: boolean
}

/** Bytes before a compaction in which the assistant's lines are read: names of long ago are seldom used again. */
const END_BYTES = 512 * 1024
/** Longer lines are outputs and images, in bytes. */
const LINE_BYTES = 1024 * 1024
const BLOCK_BYTES = 1024 * 1024
/** A host put these into the user's mouth. */
const INJECTED =
  /^\s*(?:<(?:command-|local-command|system-reminder|task-notification|bash-)|\[Request interrupted|Caveat:)/

/**
 * Reads a session file as a stream. Lines that are not needed are passed over as bytes, and those that are broken or half written
 * are left out.
 *
 * @param isResumed Only what stands before the last summary is compacted; else the summary may not be written yet.
 * @param mark of what a hook adds.
 * @returns undefined where nothing was compacted.
 * @throws when it is no file, or another user's.
 */
export async function readCompacted(
  path: string,
  isResumed: boolean,
  mark: string,
): Promise<Compacted | undefined> {
  // A link may lead anywhere, and a pipe never ends.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new Error('it is no file')
    if (!isOwnUser(facts)) throw new Error("it is another user's file")
    const reading = createReading(mark)
    await eachLine(file, reading.take)
    return reading.end(isResumed)
  } finally {
    await file.close()
  }
}

/** Calls `onLine` for each line that is not too long; the buffer is valid during the call alone. */
async function eachLine(file: FileHandle, onLine: (line: Buffer) => void): Promise<void> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES)
  let begun: Buffer = Buffer.alloc(0)
  let isTooLong = false
  for (;;) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, null)
    if (bytesRead === 0) break
    let start = 0
    for (let end = block.indexOf(10); end !== -1 && end < bytesRead; end = block.indexOf(10, start)) {
      const part = block.subarray(start, end)
      if (!isTooLong) onLine(begun.length === 0 ? part : Buffer.concat([begun, part]))
      begun = Buffer.alloc(0)
      isTooLong = false
      start = end + 1
    }
    const rest = block.subarray(start, bytesRead)
    isTooLong ||= begun.length + rest.length > LINE_BYTES
    begun = isTooLong ? Buffer.alloc(0) : Buffer.concat([begun, rest])
  }
  if (!isTooLong) onLine(begun)
}

/** A line that is parsed when it is known to be needed. */
type Waiting = Message | Buffer

function createReading(mark: string) {
  const lines: Waiting[] = []
  /** Assistants' lines among them: where they stand, and their bytes. */
  let bytes = 0
  let oldest = 0
  let before: Waiting[] | undefined
  let summary = ''
  let isAdded = false
  const keep = (line: Buffer) => {
    lines.push(Buffer.from(line))
    bytes += line.length
    for (; bytes > END_BYTES; oldest++) {
      const old = lines[oldest]
      if (!Buffer.isBuffer(old)) continue
      bytes -= old.length
      lines[oldest] = Buffer.alloc(0)
    }
  }
  return {
    take(line: Buffer): void {
      if (before !== undefined && line.includes(mark)) isAdded = true
      if (line.includes('"isCompactSummary":true')) {
        summary = textOf(looseOf(parseObject(String(line))?.message).content)
        before = [...lines]
        isAdded = false
      } else if (line.includes('"type":"assistant"')) keep(line)
      else if (
        (line.includes('"type":"user"') && !line.includes('"tool_use_id"')) ||
        line.includes('"type":"queued_command"')
      ) {
        const message = userMessage(parseObject(String(line)))
        if (message !== undefined) lines.push(message)
      }
    },
    end(isResumed: boolean): Compacted | undefined {
      const isWritten = before !== undefined && before.length === lines.length
      if (isResumed && before === undefined) return undefined
      const isKnown = isResumed || isWritten
      const taken = isKnown ? (before ?? []) : lines
      const messages = taken.flatMap((line) => (Buffer.isBuffer(line) ? assistantMessage(line) : [line]))
      return { messages, summary: isKnown ? summary : '', isAdded: isKnown && isAdded }
    },
  }
}

function userMessage(value: Loose | undefined): Message | undefined {
  if (value === undefined || value.isMeta === true || value.isSidechain === true) return undefined
  const content =
    value.type === 'attachment' ? looseOf(value.attachment).prompt : looseOf(value.message).content
  const text = textOf(content)
  return text.trim() === '' || INJECTED.test(text) ? undefined : { role: 'user', content: text }
}

function assistantMessage(line: Buffer): Message[] {
  const value = line.length === 0 ? undefined : parseObject(String(line))
  if (value === undefined || value.isSidechain === true || value.isApiErrorMessage === true) return []
  const { content } = looseOf(value.message)
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  const calls = blocks.flatMap(({ type, id, name, input }): ToolCall[] =>
    type === 'tool_use' && typeof id === 'string' && typeof name === 'string'
      ? [{ id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }]
      : [],
  )
  const text = textOf(content)
  if (text === '' && calls.length === 0) return []
  return [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }]
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? content.filter(isObject) : []
  return blocks
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}
