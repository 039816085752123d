import { isObject } from '@palimpsest/core'
import { createClaudeCodeReader } from './claude-code/claude-code-reader.ts'
import { createCodexReader } from './codex/codex-reader.ts'
import { type DetectedFormat, detectFormat } from './detect-format.ts'
import { isShallow, parseJson, quote } from './json.ts'
import { createOpenaiReader } from './openai/openai-reader.ts'
import { createOpencodeReader } from './opencode/opencode-reader.ts'
import { createPiReader } from './pi/pi-reader.ts'
import type { ReadingLog } from './reading-log.ts'
import type { SessionReader } from './recorded-item.ts'
import { TranscriptError } from './transcript-error.ts'

/** Characters of the end of a file that was cut off. */
const QUOTED = 24

/** After so many lines without one of a known shape, a file is not read further. */
const linesUntilUnknown = 1000

const readers: Record<DetectedFormat, (log: ReadingLog) => SessionReader> = {
  pi: createPiReader,
  'claude-code': createClaudeCodeReader,
  codex: createCodexReader,
  opencode: createOpencodeReader,
  openai: createOpenaiReader,
}

/**
 * Takes the lines of a file, finds out what they are, and hands them to the reader of that format. `maxDocumentLength`: largest JSON document of several lines that is read, in characters. */
export function createSessionIntake(path: string, maxDocumentLength: number, log: ReadingLog) {
  let found: { format: DetectedFormat; reader: SessionReader } | undefined
  let undecided: { value: unknown; line: number }[] = []
  let document: string[] | undefined
  let documentLength = 0
  let linesSeen = 0
  /** The first text that is no JSON. */
  let broken: string | undefined

  const takeValue = (value: unknown, line: number) => {
    if (found !== undefined) return found.reader.read(value, line)
    undecided.push({ value, line })
    const format = detectFormat(value)
    if (format === undefined) return
    const reader = readers[format](log)
    found = { format, reader }
    for (const earlier of undecided) reader.read(earlier.value, earlier.line)
    undecided = []
  }

  const takeJsonLine = (text: string, line: number) => {
    const value = parseJson(text)
    if (value === undefined) {
      broken ??= `${'\n'.repeat(line - 1)}${text}`
      log.reject(line, 'not valid JSON')
    } else if (!isShallow(value)) log.reject(line, 'nested too deeply')
    else takeValue(value, line)
    if (found === undefined && linesSeen > linesUntilUnknown) throw unknownFormat(path, undecided)
  }

  const takeDocument = (lines: readonly string[]) => {
    const text = lines.join('\n')
    const value = parseJson(text)
    if (value !== undefined && isShallow(value)) return takeValue(value, 1)
    if (value === undefined) broken = text
    lines.forEach((text, index) => {
      if (text.trim() !== '') takeJsonLine(text, index + 1)
    })
  }

  return {
    takeLine(text: string, line: number): void {
      if (document !== undefined) {
        documentLength += text.length + 1
        if (documentLength > maxDocumentLength) throw documentTooLong(path, maxDocumentLength)
        document.push(text)
        return
      }
      if (text.trim() === '') return
      linesSeen++
      if (linesSeen === 1 && beginsDocument(text)) {
        // Lines above were blank; they keep the numbers right if this turns out to be no document.
        document = [...new Array<string>(line - 1).fill(''), text]
        documentLength = text.length
        return
      }
      takeJsonLine(text, line)
    },
    finish() {
      if (linesSeen === 0)
        throw new TranscriptError('TRANSCRIPT_EMPTY', `${path} is empty; give a recorded session`)
      if (document !== undefined) takeDocument(document)
      if (found === undefined)
        throw (undecided.length === 0 && cutOff(path, broken)) || unknownFormat(path, undecided)
      const session = found.reader.finish()
      return { format: session.format ?? found.format, session }
    },
  }
}

/** The first line of JSON that is laid out over several lines: it opens something and closes it later. */
function beginsDocument(firstLine: string): boolean {
  const text = firstLine.trim()
  return /^[[{]/.test(text) && /[[{,:]$/.test(text) && parseJson(text) === undefined
}

function documentTooLong(path: string, limit: number): TranscriptError {
  const message = `${path}: a JSON document longer than ${limit} bytes is not read; write one message a line (JSONL) instead`
  return new TranscriptError('TRANSCRIPT_LINE_TOO_LONG', message)
}

/** The error for JSON that ends early; undefined for a text that is not JSON at all. */
function cutOff(path: string, text: string | undefined): TranscriptError | undefined {
  const shown = text?.trimEnd() ?? ''
  const end = endsEarly(shown)
  if (end === undefined) return undefined
  const { line, open, since } = end
  const place = `line ${line}, after ${quote(shown.slice(-QUOTED))}`
  const message = `${path} ends early, in ${place}: the JSON ${open} of line ${since} is not closed; give the whole file`
  return new TranscriptError('TRANSCRIPT_UNKNOWN_FORMAT', message, { line })
}

function unknownFormat(
  path: string,
  undecided: readonly { value: unknown; line: number }[],
): TranscriptError {
  const [first] = undecided
  const seen =
    first === undefined ? 'no line of it is JSON' : `line ${first.line} is ${describe(first.value)}`
  const known =
    'pi, Claude Code, Codex and opencode sessions, and messages as OpenAI or Anthropic take them (JSON or JSONL)'
  return new TranscriptError(
    'TRANSCRIPT_UNKNOWN_FORMAT',
    `${path} is of no known format: ${seen}; known are ${known}`,
  )
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a JSON array of ${value.length} values without a role`
  if (!isObject(value)) return `the JSON value ${quote(value)}`
  const keys = Object.keys(value)
  if (keys.length === 0) return 'an empty JSON object'
  const named = keys.slice(0, 5).map(quote).join(', ')
  return `a JSON object with the keys ${named}${keys.length > 5 ? ` and ${keys.length - 5} more` : ''}`
}

/** Where JSON text ends before everything that it opened is closed. */
interface EarlyEnd {
  /** The last line, from 1. */
  readonly line: number
  /** The outermost bracket that is not closed, and the line on which it begins. */
  readonly open: 'array' | 'object'
  readonly since: number
}

/** JSON of a session begins with two of these. A log that puts its times into brackets does not. */
const BEGINNING = /^\s*[[{]\s*(?:["[{]|$)/

/**
 * Where JSON text was cut off; undefined for a text whose brackets all close, and for a text that is not JSON. Linear.
 */
function endsEarly(text: string): EarlyEnd | undefined {
  if (!BEGINNING.test(text)) return undefined
  const open: { readonly bracket: string; readonly line: number }[] = []
  let line = 1
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '\n') line++
    if (isText && character === '\\') index++
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '{' || character === '[') open.push({ bracket: character, line })
    else if (character === '}' || character === ']') {
      const begun = open.pop()
      if (begun?.bracket !== (character === '}' ? '{' : '[')) return undefined
    }
  }
  const [first] = open
  if (first === undefined) return undefined
  return { line, open: first.bracket === '[' ? 'array' : 'object', since: first.line }
}
