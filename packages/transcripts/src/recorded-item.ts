import type { Message, ToolSchema, Usage } from '@palimpsest/core'
import type { MalformedLine, SkippedLines, TranscriptFormat } from './transcript.ts'

/** One message as a format's reader found it: in the order of the file, calls and results not yet matched. */
export interface RecordedMessage {
  readonly kind: 'message'
  readonly message: Message
  readonly line: number
  readonly usage?: Usage | undefined
  readonly timestamp?: number | undefined
  readonly model?: string | undefined
  /** The turn was cut off: calls without a result never ran. */
  readonly aborted?: boolean
}

/** Where the host compacted by itself. */
export interface RecordedCompaction {
  readonly kind: 'compaction'
  readonly line: number
  readonly summary?: string | undefined
  readonly tokensBefore?: number | undefined
}

export type RecordedItem = RecordedMessage | RecordedCompaction

/**
 * The content of one recorded message, which may be the results of several calls and a text; or the reason why it
 * cannot be read.
 */
export type ReadMessages = { readonly messages: readonly RecordedMessage[] } | { readonly fault: string }

/** What a reader is asked for. */
export interface ReaderOptions {
  /** As in `ReadTranscriptOptions`. */
  readonly branches?: 'last' | 'all' | undefined
}

/** The output of a format's reader. */
export interface RecordedSession {
  /** Given when only the whole file tells. */
  readonly format?: TranscriptFormat | undefined
  readonly items: readonly RecordedItem[]
  /** The tools that the model was offered. */
  readonly tools?: readonly ToolSchema[] | undefined
  readonly model?: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt?: number | undefined
  /** As in `Transcript`. */
  readonly waitingSince?: number | undefined
  /** The recording that this one goes on from, up to a record. */
  readonly base?: { readonly id: string; readonly endOrdinal: number } | undefined
}

/** Reads one file of one format. Never throws for what is in the file. */
export interface SessionReader {
  /** One JSON value of the file: a line, or the whole document. */
  read(value: unknown, line: number): void
  finish(): RecordedSession
}

export type ReadingLog = ReturnType<typeof createReadingLog>

/** Collects what did not become a message, so that nothing disappears without a trace. */
export function createReadingLog() {
  const malformed: MalformedLine[] = []
  const broken: MalformedLine[] = []
  const counts = new Map<string, number>()
  const skip = (reason: string, count = 1): undefined => {
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return {
    malformed,
    broken,
    /** This line cannot be read. */
    reject(line: number, reason: string): undefined {
      malformed.push({ line, reason })
    },
    /** This is no part of the conversation. */
    skip,
    /** The sequence of messages is broken here; what stands there is left out. */
    breaks(line: number, reason: string): void {
      broken.push({ line, reason })
      skip(reason)
    },
    /** In the order in which the reasons first came up. */
    skipped(): SkippedLines[] {
      return Array.from(counts, ([reason, count]) => ({ reason, count }))
    },
  }
}
