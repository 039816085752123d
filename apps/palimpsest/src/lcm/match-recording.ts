import { hashMessage, type LcmSession, liveSeqs, type SessionHead, storedBeginning } from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { UsageError } from '../usage-error.ts'

export interface RecordingMatch {
  /** The state of the session that the recording was compared with. */
  readonly head: SessionHead
  /** Messages at the beginning of both that are the same to the last byte. */
  readonly known: number
  /** The first stored message that is another one than the recording's at its place. */
  readonly differsAt?: number
  /** Live messages of the session from there on. */
  readonly behind: number
}

/** Stored messages that are read at once. */
const PAGE = 500

/** Compares a recording with the live messages of a session from one on. */
export async function matchRecording(
  session: LcmSession,
  entries: readonly TranscriptEntry[],
  from = 0,
): Promise<RecordingMatch> {
  const head = await session.head()
  const seqs = liveSeqs(head).filter((seq) => seq >= from)
  const messages = entries.map(({ message }) => message)
  const known = await storedBeginning(session, seqs, messages)
  const differsAt = known < entries.length ? seqs[known] : undefined
  return { head, known, behind: seqs.length - known, ...(differsAt !== undefined && { differsAt }) }
}

/**
 * Refuses a recording that has no message in common with a session: it is another conversation by the same name, not
 * an edit of the history.
 *
 * @throws UsageError
 */
export async function assertSameConversation(
  session: LcmSession,
  entries: readonly TranscriptEntry[],
  { known, differsAt }: RecordingMatch,
): Promise<void> {
  if (known > 0 || differsAt === undefined) return
  const hashes = new Set(entries.map(({ message }) => hashMessage(message)))
  for (let first: number | undefined = differsAt; first !== undefined; ) {
    const page = await session.messages({ first, limit: PAGE })
    if (page.some(({ hash }) => hashes.has(hash))) return
    const last = page.at(-1)
    first = last && last.seq + 1
  }
  throw new UsageError(
    `the session "${session.key}" in the store is another conversation, with no message of this recording: ` +
      'give the recording another name with --session <id>',
  )
}
