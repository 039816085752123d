import type { TokenCounter } from '@palimpsest/core'
import { cutFrontier, encodeMessage, type LcmSession } from '@palimpsest/lcm'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { matchRecording } from './match-recording.ts'

/** Messages of one transaction. */
const BATCH = 500

export interface StoreRecordingInput {
  readonly session: LcmSession
  readonly entries: readonly TranscriptEntry[]
  readonly tokens: TokenCounter
  /** The time of messages that the recording has none for, in milliseconds since the epoch. */
  readonly at: number
  /** The message of the session that the recording begins at. Default: the first. */
  readonly from?: number
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
 * is an edit of the history. A recording that ends earlier than the session takes nothing away.
 */
export async function storeRecording(input: StoreRecordingInput): Promise<StoredRecording> {
  const { session, entries, tokens, from, isOver = () => false, onProgress = () => {} } = input
  const { known, differsAt, behind } = await matchRecording(session, entries, from)
  onProgress(known)
  let now = (await timeBefore(session, differsAt)) ?? input.at
  for (let start = known; start < entries.length && !isOver(); start += BATCH) {
    const messages = entries.slice(start, start + BATCH).map(({ message, timestamp = now }) => {
      now = Math.max(now, timestamp)
      return { ...encodeMessage(message, tokens.countMessage(message)), at: now }
    })
    const edit = start === known && differsAt !== undefined ? await cutAt(session, differsAt) : {}
    const { nextSeq } = await session.head()
    await session.append({ nextSeq, messages, at: now, ...edit })
    onProgress(start + messages.length)
  }
  const isEdit = differsAt !== undefined
  return {
    known,
    added: entries.length - known,
    replaced: isEdit ? behind : 0,
    further: isEdit ? 0 : behind,
  }
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
