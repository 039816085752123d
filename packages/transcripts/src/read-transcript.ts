import { assemble, isRecordedUser } from './assemble.ts'
import { opencodePlace, readOpencodeMessages } from './opencode/opencode-database.ts'
import { readLines } from './read-lines.ts'
import { createReadingLog, type ReadingLog } from './recorded-item.ts'
import { createSessionIntake } from './session-intake.ts'
import type { MalformedLine, Transcript, TranscriptFormat } from './transcript.ts'
import { TranscriptError } from './transcript.ts'

/** 64 MiB, of a line or of a JSON document of several lines: far above any message that a host has sent. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

export interface ReadTranscriptOptions {
  /** Reject with `TRANSCRIPT_MALFORMED` if any line cannot be read. Default false: such lines are collected. */
  readonly strict?: boolean
  /**
   * Where a line of a growing session begins, in bytes: the messages that begin there and behind are read, with the
   * file's first line for what it says of the session. Lines are counted on from the first. Of opencode's database,
   * the messages that are passed over; those read keep their numbers. Default 0: all.
   */
  readonly from?: number
  /** Aborts; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Called after every block that was read. `bytesTotal` is 0 for what has no size, such as a pipe. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void
}

/**
 * Reads a recorded session of pi, Claude Code, Codex or opencode, or messages in OpenAI's or Anthropic's shape, as the
 * messages that a host would send. The format is found from the content; the file is read as a stream. Of opencode's
 * database it is the path, `#` and the session's id. Rejects with a
 * `TranscriptError`, and with `signal.reason` after an abort.
 */
export async function readTranscript(path: string, options: ReadTranscriptOptions = {}): Promise<Transcript> {
  const { strict = false, from = 0, signal, onProgress } = options
  const log = createReadingLog()
  const intake = createSessionIntake(path, MAX_LINE_BYTES, log)
  const place = opencodePlace(path)
  if (place !== undefined) await readOpencodeMessages(place, from, intake.takeLine)
  else await readLines(path, { maxLineBytes: MAX_LINE_BYTES, from, signal, onProgress }, intake.takeLine)
  const { format, session } = intake.finish()
  const { entries, nativeCompactions } = assemble(session.items, log)

  const [fault] = log.malformed
  if (strict && fault !== undefined) {
    const others = log.malformed.length > 1 ? `, and ${log.malformed.length - 1} more` : ''
    const message = `${path}: line ${fault.line} is malformed: ${fault.reason}${others}; strict allows no such line`
    throw new TranscriptError('TRANSCRIPT_MALFORMED', message, { line: fault.line })
  }
  const gap = firstGap(log, format, strict)
  if (gap !== undefined) {
    const message = `${path}: line ${gap.line} has: ${gap.reason}; correct or remove it`
    throw new TranscriptError('TRANSCRIPT_BROKEN', message, { line: gap.line })
  }
  if (from === 0 && !entries.some(({ message }) => isRecordedUser(message))) {
    const message = `${path} has no user message; give a session in which a user asks something`
    throw new TranscriptError('TRANSCRIPT_NO_USER_MESSAGE', message)
  }
  const model = entries.findLast((entry) => entry.model !== undefined)?.model ?? session.model
  const startedAt = session.startedAt ?? entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp
  return {
    format,
    entries,
    malformed: log.malformed.toSorted((a, b) => a.line - b.line),
    skipped: log.skipped(),
    nativeCompactions,
    ...(session.tools !== undefined && { tools: session.tools }),
    ...(model !== undefined && { model }),
    ...(startedAt !== undefined && { startedAt }),
    ...(session.waitingSince !== undefined && { waitingSince: session.waitingSince }),
  }
}

/**
 * The first place where the messages do not fit together. In a file of plain messages the file is the conversation,
 * so such a place means that it is broken. An agent's log has other things in it, and its host went on as well.
 */
function firstGap(
  { broken, malformed }: ReadingLog,
  format: TranscriptFormat,
  strict: boolean,
): MalformedLine | undefined {
  const strangers = malformed.filter(({ reason }) => reason.startsWith('unknown role'))
  const gaps =
    format === 'openai' || format === 'anthropic' ? [...broken, ...strangers] : strict ? broken : []
  return gaps.toSorted((a, b) => a.line - b.line)[0]
}
