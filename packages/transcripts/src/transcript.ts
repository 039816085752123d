import { type Message, markErrors, PalimpsestError, type ToolSchema, type Usage } from '@palimpsest/core'

/** The recordings that `readTranscript` understands. Detected from content, never from the file's name. */
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

/** One message of the recorded conversation, with what the recording says about it. */
export interface TranscriptEntry {
  readonly message: Message
  /**
   * Line of the file, from 1, that the message began on. For a message inside a JSON array: its position in
   * the array, from 1.
   */
  readonly line: number
  /** The provider's usage for this response. Absent when nothing or only zeros were recorded. */
  readonly usage?: Usage
  /** Milliseconds since the epoch. */
  readonly timestamp?: number
  /** The model that wrote this message. */
  readonly model?: string
}

/** A line that could not be read; the rest of the file was. */
export interface MalformedLine {
  /** As in `TranscriptEntry`. */
  readonly line: number
  readonly reason: string
}

/** Lines that are no part of the conversation, by reason. */
export interface SkippedLines {
  readonly reason: string
  readonly count: number
}

/** A compaction that the recorded host did by itself. */
export interface NativeCompaction {
  /** Index into `entries`: the compaction happened before this entry. */
  readonly beforeEntry: number
  readonly summary?: string
  /** Size of the prompt before the compaction, in tokens, as the host recorded it. */
  readonly tokensBefore?: number
}

/**
 * A recorded session as a host would send it. `entries` is always a valid sequence: every call is answered
 * exactly once, directly behind the message that made it; arguments parse as JSON; at most one system message,
 * and it is first; ids are unique.
 */
export interface Transcript {
  readonly format: TranscriptFormat
  readonly entries: TranscriptEntry[]
  readonly malformed: MalformedLine[]
  readonly skipped: SkippedLines[]
  /** The entries are the truth before these; their summaries are recorded here and nowhere else. */
  readonly nativeCompactions: NativeCompaction[]
  /** The tools that the model was offered. Absent where the recording does not say. */
  readonly tools?: readonly ToolSchema[]
  /** The model of the last answer, else the one that the header names. */
  readonly model?: string
  /** Milliseconds since the epoch. */
  readonly startedAt?: number
  /** Line of the first text that the user queued and that still waits at the end: a session that grows may send it. */
  readonly waitingSince?: number
}

/**
 * Why a file is not a transcript:
 * - `TRANSCRIPT_NOT_FOUND`: there is no such file.
 * - `TRANSCRIPT_IS_DIRECTORY`: the path is a directory.
 * - `TRANSCRIPT_UNREADABLE`: the file exists and cannot be read, for reasons of permission or of the disk.
 * - `TRANSCRIPT_EMPTY`: nothing but white space.
 * - `TRANSCRIPT_NOT_TEXT`: the file is not UTF-8 text.
 * - `TRANSCRIPT_LINE_TOO_LONG`: a line, or a JSON document of many lines, is larger than `maxLineBytes`.
 * - `TRANSCRIPT_UNKNOWN_FORMAT`: not JSON, or JSON of no known shape.
 * - `TRANSCRIPT_MALFORMED`: `strict` was set and a line could not be read.
 * - `TRANSCRIPT_BROKEN`: a file of plain messages has a tool result that answers no call, or a second one, or a role
 *   that is not known; with `strict` the pairs of every other format count too.
 * - `TRANSCRIPT_NO_USER_MESSAGE`: the format is known, but there is no message of a user.
 */
export type TranscriptErrorCode =
  | 'TRANSCRIPT_NOT_FOUND'
  | 'TRANSCRIPT_IS_DIRECTORY'
  | 'TRANSCRIPT_UNREADABLE'
  | 'TRANSCRIPT_EMPTY'
  | 'TRANSCRIPT_NOT_TEXT'
  | 'TRANSCRIPT_LINE_TOO_LONG'
  | 'TRANSCRIPT_UNKNOWN_FORMAT'
  | 'TRANSCRIPT_MALFORMED'
  | 'TRANSCRIPT_BROKEN'
  | 'TRANSCRIPT_NO_USER_MESSAGE'

/** A file cannot be read as a transcript. The message is one sentence that names the file. */
export class TranscriptError extends PalimpsestError {
  static override readonly isInstance = markErrors<TranscriptError>(TranscriptError, 'transcripts.transcript')

  /** Where in the file, from 1, if the error has a place. */
  readonly line?: number

  constructor(code: TranscriptErrorCode, message: string, options: { cause?: unknown; line?: number } = {}) {
    super(code, message, options)
    if (options.line !== undefined) this.line = options.line
  }
}
