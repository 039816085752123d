import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { AIDER_START, createAiderReader } from './aider/aider-reader.ts'
import { createClaudeCodeReader } from './claude-code/claude-code-reader.ts'
import { createCodexReader } from './codex/codex-reader.ts'
import { createCopilotReader } from './copilot/copilot-reader.ts'
import { createGeminiReader } from './gemini/gemini-reader.ts'
import { createQwenReader } from './gemini/qwen-reader.ts'
import { createGooseReader } from './goose/goose-reader.ts'
import { isShallow, nameOf, parseJson, quote } from './json.ts'
import { createOpenaiReader } from './openai/openai-reader.ts'
import { createOpencodeReader } from './opencode/opencode-reader.ts'
import { createPiReader } from './pi/pi-reader.ts'
import type { ReaderOptions, ReadingLog, SessionReader } from './recorded-item.ts'
import type { TranscriptFormat } from './transcript.ts'
import { TranscriptError } from './transcript.ts'

/** A file is not read further after this many unknown lines. */
const linesUntilUnknown = 1000

const readers: Record<DetectedFormat, (log: ReadingLog, options: ReaderOptions) => SessionReader> = {
  pi: createPiReader,
  'claude-code': createClaudeCodeReader,
  codex: createCodexReader,
  opencode: createOpencodeReader,
  'gemini-cli': createGeminiReader,
  'qwen-code': createQwenReader,
  copilot: createCopilotReader,
  goose: createGooseReader,
  aider: createAiderReader,
  openai: createOpenaiReader,
}

/**
 * Detects a file's format and passes its lines to that format's reader. `maxDocumentLength`: maximum characters of a
 * JSON document of several lines.
 */
export function createSessionIntake(
  path: string,
  maxDocumentLength: number,
  log: ReadingLog,
  options: ReaderOptions,
) {
  let found: { format: DetectedFormat; reader: SessionReader } | undefined
  let undecided: { value: unknown; line: number }[] = []
  let document: string[] | undefined
  let documentLength = 0
  let linesSeen = 0

  const takeValue = (value: unknown, line: number) => {
    if (found !== undefined) return found.reader.read(value, line)
    undecided.push({ value, line })
    const format = detectFormat(value)
    if (format === undefined) return
    const reader = readers[format](log, options)
    found = { format, reader }
    for (const earlier of undecided) reader.read(earlier.value, earlier.line)
    undecided = []
  }

  const takeJsonLine = (text: string, line: number) => {
    const value = parseJson(text)
    if (value === undefined) log.reject(line, 'not valid JSON')
    else if (!isShallow(value)) log.reject(line, 'nested too deeply')
    else takeValue(value, line)
    if (found === undefined && linesSeen > linesUntilUnknown) throw unknownFormat(path, undecided)
  }

  const takeDocument = (lines: readonly string[]) => {
    const text = lines.join('\n')
    const value = parseJson(text)
    if (value !== undefined && isShallow(value)) return takeValue(value, 1)
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
      if (found?.format === 'aider') return void found.reader.read(text, line)
      if (text.trim() === '') return
      linesSeen++
      if (linesSeen === 1 && AIDER_START.test(text)) {
        found = { format: 'aider', reader: createAiderReader(log) }
        return void found.reader.read(text, line)
      }
      if (linesSeen === 1 && beginsDocument(text)) {
        // Earlier lines were blank; they keep line numbers right if this is no document.
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
      if (found === undefined) throw unknownFormat(path, undecided)
      const session = found.reader.finish()
      return { format: session.format ?? found.format, session }
    },
  }
}

function beginsDocument(firstLine: string): boolean {
  const text = firstLine.trim()
  return /^[[{]/.test(text) && /[[{,:]$/.test(text) && parseJson(text) === undefined
}

/** The formats that `readTranscript` reads, for messages. */
export const KNOWN_FORMATS =
  'pi, Claude Code, Codex, opencode, Gemini CLI, Qwen Code, Copilot CLI, goose, aider and Hermes Agent sessions, and messages as OpenAI or Anthropic take them (JSON or JSONL)'

function documentTooLong(path: string, limit: number): TranscriptError {
  const message = `${path}: a JSON document longer than ${limit} bytes is not read; write one message a line (JSONL) instead`
  return new TranscriptError('TRANSCRIPT_LINE_TOO_LONG', message)
}

function unknownFormat(
  path: string,
  undecided: readonly { value: unknown; line: number }[],
): TranscriptError {
  const [first] = undecided
  const seen =
    first === undefined
      ? 'no line of it is JSON, or it was cut off'
      : `line ${first.line} is ${describe(first.value)}`
  return new TranscriptError(
    'TRANSCRIPT_UNKNOWN_FORMAT',
    `${path} is of no known format: ${seen}; known are ${KNOWN_FORMATS}`,
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

/** Anthropic's messages are detected as OpenAI's; that reader distinguishes them. */
export type DetectedFormat = Exclude<TranscriptFormat, 'anthropic'>

/**
 * The format of a JSON value; undefined if it is ambiguous or unknown. The first recognised value decides for the whole
 * file. pi, Claude Code and Codex all write one object with a `type` per line, and differ in the other fields.
 */
export function detectFormat(value: unknown): DetectedFormat | undefined {
  if (Array.isArray(value))
    return value.some((element) => detectFormat(element) === 'openai') ? 'openai' : undefined
  if (!isObject(value)) return undefined
  if (isPi(value)) return 'pi'
  if (isCodex(value)) return 'codex'
  if (isQwen(value)) return 'qwen-code'
  if (isClaudeCode(value)) return 'claude-code'
  if (isCopilot(value)) return 'copilot'
  if (isGemini(value)) return 'gemini-cli'
  if (isGoose(value)) return 'goose'
  if (isOpencode(value)) return 'opencode'
  return isOpenai(value) ? 'openai' : undefined
}

function isPi(value: Loose): boolean {
  if (value.type === 'session') return nameOf(value.id) !== undefined
  return value.type === 'message' && isObject(value.message) && nameOf(value.message.role) !== undefined
}

const codexEnvelopes: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])
const claudeCodeEvents: ReadonlySet<unknown> = new Set([
  'attachment',
  'file-history-snapshot',
  'progress',
  'queue-operation',
  'summary',
  'system',
])
const claudeCodeIds = ['uuid', 'sessionId', 'session_id', 'leafUuid', 'messageId']

function isClaudeCode(value: Loose): boolean {
  if (value.type === 'user' || value.type === 'assistant') return isObject(value.message)
  return claudeCodeEvents.has(value.type) && claudeCodeIds.some((key) => nameOf(value[key]) !== undefined)
}

function isCodex(value: Loose): boolean {
  return codexEnvelopes.has(value.type) && isObject(value.payload)
}

function isQwen(value: Loose): boolean {
  if (nameOf(value.uuid) === undefined || nameOf(value.sessionId) === undefined) return false
  return (
    Array.isArray(looseOf(value.message).parts) || (value.type === 'system' && isObject(value.systemPayload))
  )
}

function isCopilot({ type, data, id }: Loose): boolean {
  return (
    /^(?:session|user|assistant|tool)\.\w+$/.test(String(type)) && isObject(data) && nameOf(id) !== undefined
  )
}

function isGemini({ sessionId, projectHash, startTime }: Loose): boolean {
  return [sessionId, projectHash ?? startTime].every((one) => nameOf(one) !== undefined)
}

function isGoose({ working_dir: folder, role, content, created }: Loose): boolean {
  if (nameOf(folder) !== undefined) return true
  return nameOf(role) !== undefined && Array.isArray(content) && typeof created === 'number'
}

function isOpencode(value: Loose): boolean {
  const { messages = [value] } = value
  return (
    Array.isArray(messages) &&
    messages.some((one) => isObject(one) && hasRole(one.info) && Array.isArray(one.parts))
  )
}

function isOpenai(value: Loose): boolean {
  if (Array.isArray(value.messages)) return value.messages.some(hasRole)
  return hasRole(value)
}

function hasRole(value: unknown): boolean {
  return isObject(value) && nameOf(value.role) !== undefined
}
