import { markErrors, PalimpsestError } from '@palimpsest/core'

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
