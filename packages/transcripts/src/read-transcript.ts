import { looseOf, type Message } from '@palimpsest/core'
import { assemble, isRecordedUser } from './assemble.ts'
import { withSavedResults } from './claude-code/saved-results.ts'
import { readForkBase } from './codex/fork-base.ts'
import { databasePlace, readSessionRows } from './databases/session-database.ts'
import { readLines } from './read-lines.ts'
import { createReadingLog, type ReadingLog } from './recorded-item.ts'
import { createSessionIntake } from './session-intake.ts'
import type { MalformedLine, Transcript, TranscriptFormat } from './transcript.ts'
import { TranscriptError } from './transcript.ts'

/** Limit of a line or a JSON document of several lines: 64 MiB, far above any real message. */
const MAX_LINE_BYTES = 64 * 1024 * 1024

export interface ReadTranscriptOptions {
  /**
   * The byte offset of a line of a growing session: messages from there on are read, and the file's first line for
   * facts about the session. Lines keep their numbers. For a database, the number of messages to skip. Not for a
   * compressed file. Default 0.
   */
  readonly from?: number
  /**
   * The branches of a session that is a tree: the last one, or `all`, including what the user took back, in file order.
   * Default `last`.
   */
  readonly branches?: 'last' | 'all'
  /**
   * Reads more, for a search: messages that the model no longer saw, results that Claude Code saved to separate files,
   * and results without a call; a user message is not required. Default false.
   */
  readonly whole?: boolean
  /** Aborts the call, which rejects with `signal.reason`. */
  readonly signal?: AbortSignal
  /** Called after every block that was read. `bytesTotal` is 0 for a source without a size, such as a pipe. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void
}

/** Calls `onLine` for each raw line of a session file, decompressed. Rejects with a `TranscriptError`. */
export async function readSessionLines(path: string, onLine: (text: string) => void): Promise<void> {
  await readLines(path, { maxLineBytes: MAX_LINE_BYTES }, onLine)
}

/**
 * Reads a recorded session of a coding agent (`TranscriptFormat`), or messages in OpenAI's or Anthropic's shape, as the
 * messages that a host would send. The content decides the format. The file, which zstd may have compressed, is
 * streamed. For a session in a database of opencode, Hermes Agent or goose, `path` is the database's path, `#` and the
 * session's id. Rejects with a `TranscriptError`, and with `signal.reason` after an abort.
 */
export async function readTranscript(path: string, options: ReadTranscriptOptions = {}): Promise<Transcript> {
  const { from = 0, branches, whole = false, signal, onProgress } = options
  const log = createReadingLog()
  const intake = createSessionIntake(path, MAX_LINE_BYTES, log, { branches })
  const place = databasePlace(path)
  if (place !== undefined) await readSessionRows(place, { from, branches }, intake.takeLine)
  else await readLines(path, { maxLineBytes: MAX_LINE_BYTES, from, signal, onProgress }, intake.takeLine)
  const { format, session } = intake.finish()
  const limits = { maxLineBytes: MAX_LINE_BYTES, signal }
  const base = from === 0 ? await readForkBase(path, session.base, limits, log) : []
  const assembled = assemble([...base, ...session.items], log, whole)
  const { nativeCompactions } = assembled
  const entries =
    whole && format === 'claude-code'
      ? await withSavedResults(path, assembled.entries, log)
      : assembled.entries
  const gap = firstGap(log, format)
  if (gap !== undefined) {
    const message = `${path}: line ${gap.line} has: ${gap.reason}; correct or remove it`
    throw new TranscriptError('TRANSCRIPT_BROKEN', message, { line: gap.line })
  }
  if (from === 0 && !whole && !entries.some(({ message }) => isRecordedUser(message) || isAgent(message))) {
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

/** A sub-agent's session starts with a message of another agent only. */
function isAgent({ role, providerData }: Message): boolean {
  return role === 'user' && looseOf(providerData?.transcript).recordedRole === 'agent'
}

/**
 * The first place where messages do not match. A file of plain messages is the whole conversation, so it is broken
 * there. An agent's log also contains other things, and its host continued anyway.
 */
function firstGap({ broken, malformed }: ReadingLog, format: TranscriptFormat): MalformedLine | undefined {
  if (format !== 'openai' && format !== 'anthropic') return undefined
  const strangers = malformed.filter(({ reason }) => reason.startsWith('unknown role'))
  return [...broken, ...strangers].toSorted((a, b) => a.line - b.line)[0]
}
