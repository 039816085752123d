import type { ByteSource } from './text-file.ts'
import { TOOL_LIMITS } from './tool-limits.ts'

const NEWLINE = 10

/** Some lines of a text, in order. */
export interface LineRange {
  readonly lines: readonly string[]
  /** Number of the first of them, from 1; undefined when they were not counted. */
  readonly first: number | undefined
  /** Whether the text ends with the last of them. */
  readonly isEnd: boolean
  /** Lines that are there in all, where the end was reached. */
  readonly total: number | undefined
}

export interface LineRequest {
  /** Number of the first line, from 1. */
  readonly from: number
  /** Lines at most. */
  readonly count: number
  /** Characters at most, all lines together; one line is always shown. */
  readonly characters: number
  /** Called between pieces; throws to end the reading. */
  readonly check: () => void
}

/** Reads lines from a number on. What is before them is passed over piece by piece and never held. */
export async function readLines(source: ByteSource, request: LineRequest): Promise<LineRange> {
  const { from, count, check } = request
  const lines: string[] = []
  let room = request.characters
  let number = 1
  let pieces: Buffer[] = []
  let held = 0
  let isOpen = false
  const keep = (bytes: Buffer) => {
    // Of a line of gigabytes only what is shown is held: at most four bytes a character.
    const part = bytes.subarray(0, Math.max(0, (TOOL_LIMITS.lineCharacters + 1) * 4 - held))
    held += part.length
    if (part.length > 0) pieces.push(part)
  }
  const endLine = (): boolean => {
    const line = shownLine(Buffer.concat(pieces))
    pieces = []
    held = 0
    room -= line.length + 1
    if (room < 0 && lines.length > 0) return false
    lines.push(line)
    return true
  }
  const answer = (isEnd: boolean, total?: number): LineRange => ({ lines, first: from, isEnd, total })

  for (let position = 0; ; ) {
    check()
    const chunk = await source.read(position, TOOL_LIMITS.chunkBytes)
    if (chunk.length === 0) break
    position += chunk.length
    isOpen = chunk.at(-1) !== NEWLINE
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, at)
      const end = newline === -1 ? chunk.length : newline
      if (number >= from) {
        if (lines.length === count) return answer(false)
        keep(chunk.subarray(at, end))
        if (newline !== -1 && !endLine()) return answer(false)
      }
      if (newline !== -1) number++
      at = end + 1
    }
  }
  // Behind the last line break there is one more line, unless nothing stands there.
  if (isOpen && number >= from && !endLine()) return answer(false)
  return answer(true, isOpen ? number : number - 1)
}

/** Reads the last lines, from the end backwards. */
export async function readLastLines(
  source: ByteSource,
  { count, characters, check }: Omit<LineRequest, 'from'>,
): Promise<LineRange> {
  const { size } = source
  // More bytes than that are not shown whatever they are.
  const limit = Math.max(0, size - (characters + TOOL_LIMITS.lineCharacters) * 4)
  let start = size
  let newlines = 0
  let bytes: Buffer = Buffer.alloc(0)
  while (start > limit && newlines <= count) {
    check()
    const length = Math.min(start - limit, 64 * 1024)
    start -= length
    const chunk = await source.read(start, length)
    newlines += chunk.filter((byte) => byte === NEWLINE).length
    bytes = Buffer.concat([chunk, bytes])
  }
  const all = splitLines(bytes, start > 0)
  let room = characters
  const lines: string[] = []
  for (const line of all.slice(-count).reverse()) {
    room -= line.length + 1
    if (room < 0 && lines.length > 0) break
    lines.unshift(line)
  }
  const isWhole = start === 0
  const first = isWhole ? all.length - lines.length + 1 : undefined
  return { lines, first, isEnd: true, total: isWhole ? all.length : undefined }
}

/** Lines of the end of a text. The first one is a piece of a line when something stands before it. */
function splitLines(bytes: Buffer, isCut: boolean): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline === -1 ? bytes.length : newline
    lines.push(shownLine(bytes.subarray(at, end)))
    at = end + 1
  }
  return isCut && lines.length > 1 ? lines.slice(1) : lines
}

const decoder = new TextDecoder('utf-8')

/** A line as it is shown: of one that is too long its beginning. */
function shownLine(bytes: Buffer): string {
  const text = decoder.decode(bytes).replace(/\r$/, '')
  const { lineCharacters } = TOOL_LIMITS
  if (text.length <= lineCharacters) return text
  return `${text.slice(0, lineCharacters).toWellFormed()}… (the line goes on)`
}
