import {
  equalValues,
  PalimpsestError,
  type StoredMessage,
  type StoredSession,
  type TokenCounter,
} from '@palimpsest/core'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { UsageError } from '../usage-error.ts'

const BATCH = 500
/** Conflicts with other writers after which the import ends. */
const MAX_CONFLICTS = 10

interface StoreRecordingInput {
  readonly session: StoredSession
  readonly entries: readonly TranscriptEntry[]
  readonly tokens: TokenCounter
  /** The earliest time of messages, and that of those without one: see `recordingTime`. */
  readonly at: number
  readonly from?: number
  /** Whether a recording without a message of the session takes its place. Default false: it is refused. */
  readonly replacesAll?: boolean
  /** Asked between batches whether to leave the rest for another time. */
  readonly isOver?: () => boolean
  /** `done` messages of the recording are in the store. */
  readonly onProgress?: (done: number) => void
}

export interface StoredRecording {
  readonly known: number
  readonly added: number
  /** Others took their place, because the recording has changed. They are still stored. */
  readonly replaced: number
  /** The session goes on with so many after the end of the recording. */
  readonly further: number
}

/**
 * Brings a session in line with a recording. What is there already stays; what is new is written in batches, one transaction each:
 * whenever it ends, the store is whole, and the next time goes on. Where the recording differs, it is an edit of the history. A
 * recording that ends earlier than the session takes nothing away.
 */
export async function storeRecording(input: StoreRecordingInput): Promise<StoredRecording> {
  const { session, entries, from = 0, replacesAll = false } = input
  const counts = { added: 0, replaced: 0 }
  for (let conflicts = 0; ; conflicts++) {
    const match = await matchRecording(session, entries, from)
    if (!replacesAll) await assertSameConversation(session, entries, match)
    try {
      const done = await storeRest(input, match, counts)
      const isEdit = match.differsAt !== undefined
      return { known: done - counts.added, ...counts, further: isEdit ? 0 : match.after }
    } catch (error) {
      // Another writer was faster: often nothing is left to write then.
      const isConflict = PalimpsestError.isInstance(error) && error.code === 'STORE_CONFLICT'
      if (!isConflict || conflicts === MAX_CONFLICTS) throw error
    }
  }
}

async function storeRest(
  { session, entries, tokens, at, isOver = () => false, onProgress = () => {} }: StoreRecordingInput,
  { head, known, differsAt, after }: RecordingMatch,
  counts: { added: number; replaced: number },
): Promise<number> {
  let { nextSeq, edits } = head
  const end = (differsAt ?? nextSeq) - 1
  const [before] = end < 0 ? [] : await session.messages({ last: end, order: 'newest', limit: 1 })
  let now = before?.at ?? at
  let done = known
  onProgress(done)
  while (done < entries.length && !isOver()) {
    const messages = entries.slice(done, done + BATCH).map(({ message, timestamp = now }) => {
      // Times grow with the numbers of messages.
      now = Math.max(now, timestamp)
      return { message, tokens: tokens.countMessage(message), at: now }
    })
    const edit = done === known && differsAt !== undefined ? { replaceFrom: differsAt } : {}
    const written = await session.append({ nextSeq, edits, messages, at: now, ...edit })
    nextSeq = written.nextSeq
    edits = written.edits
    if ('replaceFrom' in edit) counts.replaced += after
    counts.added += messages.length
    done += messages.length
    onProgress(done)
  }
  return done
}

type RecordingMatch = Awaited<ReturnType<typeof matchRecording>>

/**
 * Compares a recording with the live messages of a session from one on: how many are `known`, the first stored one that differs, and
 * how many come `after`. What was forgotten is the same as anything.
 */
export async function matchRecording(session: StoredSession, entries: readonly TranscriptEntry[], from = 0) {
  const head = await session.head()
  let known = 0
  let after = 0
  let differsAt: number | undefined
  for await (const { seq, message } of liveMessages(session, from)) {
    const entry = entries[known]
    const isSame = entry !== undefined && (message === null || equalValues(message, entry.message))
    if (after === 0 && isSame) known++
    else {
      if (entry !== undefined) differsAt ??= seq
      after++
    }
  }
  return { head, known, after, ...(differsAt !== undefined && { differsAt }) }
}

export async function* liveMessages(session: StoredSession, from = 0): AsyncGenerator<StoredMessage> {
  for (let first: number | undefined = from; first !== undefined; ) {
    const page: StoredMessage[] = await session.messages({ first, limit: BATCH })
    yield* page
    const last = page.length < BATCH ? undefined : page.at(-1)
    first = last && last.seq + 1
  }
}

/** Refuses another conversation by the same name, with no message in common. */
export async function assertSameConversation(
  session: StoredSession,
  entries: readonly TranscriptEntry[],
  { known, differsAt }: RecordingMatch,
): Promise<void> {
  if (known > 0 || differsAt === undefined) return
  const said = new Set(entries.map(({ message }) => JSON.stringify(message)))
  for await (const { message } of liveMessages(session)) if (said.has(JSON.stringify(message))) return
  throw new UsageError(
    `the session "${session.key}" in the store is another conversation, with no message of this recording: ` +
      'give the recording another name with --session <id>',
  )
}
