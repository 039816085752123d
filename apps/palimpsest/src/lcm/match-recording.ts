import { type LcmSession, liveSeqs, storedBeginning } from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'

export interface RecordingMatch {
  /** Messages at the beginning of both that are the same to the last byte. */
  readonly known: number
  /** The first stored message that is another one than the recording's at its place. */
  readonly differsAt?: number
  /** Live messages of the session from there on. */
  readonly behind: number
}

/** Compares a recording with the live messages of a session from one on. */
export async function matchRecording(
  session: LcmSession,
  entries: readonly TranscriptEntry[],
  from = 0,
): Promise<RecordingMatch> {
  const seqs = liveSeqs(await session.head()).filter((seq) => seq >= from)
  const messages = entries.map(({ message }) => message)
  const known = await storedBeginning(session, seqs, messages)
  const differsAt = known < entries.length ? seqs[known] : undefined
  return { known, behind: seqs.length - known, ...(differsAt !== undefined && { differsAt }) }
}
