import type { Message } from '@palimpsest/core'
import type { NativeCompaction, TranscriptEntry } from '@palimpsest/transcripts'

/** A recorded session as the bench plays it. */
export interface RecordedSession {
  /** The file's name without its ending. */
  readonly name: string
  readonly messages: readonly Message[]
  /** One for each message. */
  readonly entries: readonly TranscriptEntry[]
  /** Compactions that the recorded host did by itself. */
  readonly nativeCompactions: readonly NativeCompaction[]
  /** The model that answered, if the file names one. */
  readonly model?: string
}
