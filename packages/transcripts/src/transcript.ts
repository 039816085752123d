import { type Message, markErrors, PalimpsestError, type ToolSchema, type Usage } from '@palimpsest/core'

/** The formats that `readTranscript` reads. The content decides, never the file's name. */
export type TranscriptFormat =
  | 'pi'
  | 'claude-code'
  | 'codex'
  | 'opencode'
  | 'gemini-cli'
  | 'qwen-code'
  | 'copilot'
  | 'goose'
  | 'aider'
  | 'openai'
  | 'anthropic'

/** One message of the conversation, with its recorded facts. */
export interface TranscriptEntry {
  readonly message: Message
  /** Line of the file, from 1, on which the message starts; in a JSON array, its position, from 1. */
  readonly line: number
  /** The provider's usage for this response. Absent if nothing or only zeros were recorded. */
  readonly usage?: Usage
  /** Milliseconds since the epoch. */
  readonly timestamp?: number
  readonly model?: string
}

/** An unreadable line; the rest of the file was read. */
export interface MalformedLine {
  readonly line: number
  readonly reason: string
}

/** Lines outside the conversation, by reason. */
export interface SkippedLines {
  readonly reason: string
  readonly count: number
}

/** A compaction by the recorded host itself. */
export interface NativeCompaction {
  /** The compaction happened before the entry of this index. */
  readonly beforeEntry: number
  readonly summary?: string
  /** Size of the prompt before the compaction, in tokens, as recorded. */
  readonly tokensBefore?: number
}

/**
 * A recorded session as a host would send it. `entries` is always a valid sequence: every call is answered once,
 * directly after its message; arguments are JSON; at most one system message, which is first; ids are unique.
 */
export interface Transcript {
  readonly format: TranscriptFormat
  readonly entries: TranscriptEntry[]
  readonly malformed: MalformedLine[]
  readonly skipped: SkippedLines[]
  /** The host's compactions. `entries` has the original messages; only this list has the summaries. */
  readonly nativeCompactions: NativeCompaction[]
  /** The tools that the model was offered. Absent if they were not recorded. */
  readonly tools?: readonly ToolSchema[]
  /** The model of the last answer, or else of the header. */
  readonly model?: string
  /** Milliseconds since the epoch. */
  readonly startedAt?: number
  /** Line of the first queued text that still waits at the end; a growing session may still send it. */
  readonly waitingSince?: number
}

/**
 * The reasons why a file is not a transcript:
 * - `TRANSCRIPT_NOT_FOUND`: the file does not exist.
 * - `TRANSCRIPT_IS_DIRECTORY`: the path is a directory.
 * - `TRANSCRIPT_UNREADABLE`: the file cannot be read, because of permissions or the disk.
 * - `TRANSCRIPT_EMPTY`: nothing but white space.
 * - `TRANSCRIPT_NOT_TEXT`: the file is not UTF-8 text.
 * - `TRANSCRIPT_LINE_TOO_LONG`: a line, or a JSON document of many lines, is larger than `maxLineBytes`.
 * - `TRANSCRIPT_UNKNOWN_FORMAT`: not JSON, or JSON of an unknown shape.
 * - `TRANSCRIPT_BROKEN`: a file of plain messages has a tool result without a call, a second result, or an unknown
 * role.
 * - `TRANSCRIPT_NO_USER_MESSAGE`: the format is known, but no message is the user's.
 */
export type TranscriptErrorCode =
  | 'TRANSCRIPT_NOT_FOUND'
  | 'TRANSCRIPT_IS_DIRECTORY'
  | 'TRANSCRIPT_UNREADABLE'
  | 'TRANSCRIPT_EMPTY'
  | 'TRANSCRIPT_NOT_TEXT'
  | 'TRANSCRIPT_LINE_TOO_LONG'
  | 'TRANSCRIPT_UNKNOWN_FORMAT'
  | 'TRANSCRIPT_BROKEN'
  | 'TRANSCRIPT_NO_USER_MESSAGE'

/** A file cannot be read as a transcript. The message names the file. */
export class TranscriptError extends PalimpsestError {
  static override readonly isInstance = markErrors<TranscriptError>(TranscriptError, 'transcripts.transcript')

  /** The line of the error, from 1, if it has one. */
  readonly line?: number

  constructor(code: TranscriptErrorCode, message: string, options: { cause?: unknown; line?: number } = {}) {
    super(code, message, options)
    if (options.line !== undefined) this.line = options.line
  }
}
