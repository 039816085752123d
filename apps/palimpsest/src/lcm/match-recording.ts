import { hash } from 'node:crypto'
import type { LcmSession } from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'

/** Hashes that are read at once. */
const PAGE = 2_000

export interface RecordingMatch {
  /** Messages at the beginning of both that are equal, by place and hash. */
  readonly known: number
  /** The first stored message that is another one than the recording's at its place. */
  readonly differsAt?: number
  /** Live messages of the session from there on. */
  readonly behind: number
}

/** Compares a recording with the live messages of a session from one on, without reading them. */
export async function matchRecording(
  session: LcmSession,
  entries: readonly TranscriptEntry[],
  from = 0,
): Promise<RecordingMatch> {
  let known = 0
  let behind = 0
  let differsAt: number | undefined
  for await (const stored of liveHashes(session, from)) {
    const entry = entries[known]
    if (behind > 0 || entry === undefined || hashOf(entry) !== stored.hash) {
      if (behind === 0 && entry !== undefined) differsAt = stored.seq
      behind++
    } else known++
  }
  return { known, behind, ...(differsAt !== undefined && { differsAt }) }
}

/** Numbers and hashes of the messages from one on that were not replaced, in order. */
export async function* liveHashes(
  session: LcmSession,
  from = 0,
): AsyncGenerator<{ seq: number; hash: string }> {
  const { nextSeq } = await session.head()
  for (let first = from; first < nextSeq; ) {
    const page = await session.hashes({ first, last: nextSeq - 1, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    first = last.seq + 1
  }
}

/** The store's hash of the message. */
export function hashOf({ message }: Pick<TranscriptEntry, 'message'>): string {
  return hash('sha256', JSON.stringify(message))
}
