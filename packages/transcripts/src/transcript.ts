import type { Message, ToolSchema, Usage } from '@palimpsest/core'

/** The recordings that `readTranscript` understands. Detected from content, never from the file's name. */
export type TranscriptFormat = 'pi' | 'claude-code' | 'codex' | 'opencode' | 'openai' | 'anthropic'

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
