import type { Message, ToolSchema, Usage } from '@palimpsest/core'
import type { MalformedLine, SkippedLines, TranscriptFormat } from './transcript.ts'

export interface RecordedMessage {
  readonly kind: 'message'
  readonly message: Message
  readonly line: number
  readonly usage?: Usage | undefined
  readonly timestamp?: number | undefined
  readonly model?: string | undefined
  readonly aborted?: boolean
}

export interface RecordedCompaction {
  readonly kind: 'compaction'
  readonly line: number
  readonly summary?: string | undefined
  readonly tokensBefore?: number | undefined
}

export type RecordedItem = RecordedMessage | RecordedCompaction

/** A recorded message, which may become several (tool results and a text), or the reason why it cannot be read. */
export type ReadMessages = { readonly messages: readonly RecordedMessage[] } | { readonly fault: string }

export interface ReaderOptions {
  readonly branches?: 'last' | 'all' | undefined
}

export interface RecordedSession {
  readonly format?: TranscriptFormat | undefined
  readonly items: readonly RecordedItem[]
  readonly tools?: readonly ToolSchema[] | undefined
  readonly model?: string | undefined
  readonly startedAt?: number | undefined
  readonly waitingSince?: number | undefined
  readonly base?: { readonly id: string; readonly endOrdinal: number } | undefined
}

export interface SessionReader {
  read(value: unknown, line: number): void
  finish(): RecordedSession
}

export type ReadingLog = ReturnType<typeof createReadingLog>

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
    reject(line: number, reason: string): undefined {
      malformed.push({ line, reason })
    },
    skip,
    breaks(line: number, reason: string): void {
      broken.push({ line, reason })
      skip(reason)
    },
    skipped(): SkippedLines[] {
      return Array.from(counts, ([reason, count]) => ({ reason, count }))
    },
  }
}
