import type { TokenCounter } from '@palimpsest/core'
import {
  cutFrontier,
  encodeMessage,
  hashMessage,
  type LcmSession,
  liveSeqs,
  type SessionHead,
  StoreConflictError,
  storedBeginning,
} from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { UsageError } from '../usage-error.ts'

/** Messages of one transaction. */
const BATCH = 500
/** Conflicts with other writers in a row after which no more of the recording is in the store. */
const MAX_CONFLICTS = 10

interface StoreRecordingInput {
  readonly session: LcmSession
  readonly entries: readonly TranscriptEntry[]
  readonly tokens: TokenCounter
  /** The earliest time of messages, and that of those without one: see `recordingTime`. */
  readonly at: number
  /** The message of the session that the recording begins at. Default: the first. */
  readonly from?: number
  /** Whether a recording without a message of the session takes its place. Default false: it is refused. */
  readonly replacesAll?: boolean
  /** Asked between batches whether to leave the rest for another time. */
  readonly isOver?: () => boolean
  /** `done` messages of the recording are in the store. */
  readonly onProgress?: (done: number) => void
}

export interface StoredRecording {
  /** They were in the store already. */
  readonly known: number
  readonly added: number
  /** Others took their place, because the recording has changed. They are still stored. */
  readonly replaced: number
  /** The session goes on with so many behind the end of the recording. */
  readonly further: number
}

/**
 * Brings a session in line with a recording. What is there already stays; what is new is written in batches, one
 * transaction each: whenever it ends, the store is whole, and the next time goes on. Where the recording differs, it
 * is an edit of the history. A recording that ends earlier than the session takes nothing away. When another writer was
 * faster, what it wrote is compared as well, and then often nothing is left to write.
 */
export async function storeRecording(input: StoreRecordingInput): Promise<StoredRecording> {
  const { session, entries, from, replacesAll = false, onProgress = () => {} } = input
  const counts = { added: 0, replaced: 0 }
  let [best, conflicts] = [-1, 0]
  while (true) {
    const match = await matchRecording(session, entries, from)
    if (!replacesAll) await assertSameConversation(session, entries, match)
    onProgress(match.known)
    try {
      const done = await storeRest(input, match, counts)
      const isEdit = match.differsAt !== undefined
      return { known: done - counts.added, ...counts, further: isEdit ? 0 : match.behind }
    } catch (error) {
      if (!StoreConflictError.isInstance(error)) throw error
      conflicts = match.known > best ? 0 : conflicts + 1
      if (conflicts === MAX_CONFLICTS) throw error
      best = Math.max(best, match.known)
    }
  }
}

/** Returns how many messages of the recording are in the store then. */
async function storeRest(
  { session, entries, tokens, at, isOver = () => false, onProgress = () => {} }: StoreRecordingInput,
  { head: matched, known, differsAt, behind }: RecordingMatch,
  counts: { added: number; replaced: number },
): Promise<number> {
  let head = matched
  let now = (await timeBefore(session, differsAt)) ?? at
  let done = known
  while (done < entries.length && !isOver()) {
    const messages = entries.slice(done, done + BATCH).map(({ message, timestamp = now }) => {
      now = Math.max(now, timestamp)
      return { ...encodeMessage(message, tokens.countMessage(message)), at: now }
    })
    const edit = done === known && differsAt !== undefined ? await cutAt(session, differsAt) : {}
    // The version too is the one of the comparison: an edit of another writer may leave `nextSeq` as it was.
    head = await session.append({ messages, at: now, ...edit, nextSeq: head.nextSeq, version: head.version })
    if (done === known && differsAt !== undefined) counts.replaced += behind
    counts.added += messages.length
    done += messages.length
    onProgress(done)
  }
  return done
}

/** The edit that replaces all messages from one on. */
export async function cutAt(session: LcmSession, from: number) {
  const { version, nodes } = await session.frontier()
  return { version, replace: { from, summaries: await cutFrontier(session, nodes, from) } }
}

/** When the message came that the new ones stand behind: times grow with the numbers of messages. */
export async function timeBefore(session: LcmSession, seq: number | undefined): Promise<number | undefined> {
  const bounds = seq === undefined ? {} : { last: seq - 1 }
  const [previous] = seq === 0 ? [] : await session.messages({ ...bounds, order: 'newest', limit: 1 })
  return previous?.at
}

interface RecordingMatch {
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
