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
const MAX_CONFLICTS = 10

interface StoreRecordingInput {
  readonly session: StoredSession
  readonly entries: readonly TranscriptEntry[]
  readonly tokens: TokenCounter
  readonly at: number
  readonly from?: number
  /** Allows a recording without any message of the session to replace it. Default false. */
  readonly replacesAll?: boolean
  readonly isOver?: () => boolean
  readonly onProgress?: (done: number) => void
}

export interface StoredRecording {
  readonly known: number
  readonly added: number
  /** Number of messages replaced because the recording has changed. They are still stored. */
  readonly replaced: number
  readonly further: number
}

/**
 * Updates a session from a recording. Stored messages stay; new ones are written in batches, one transaction each, so
 * an interruption leaves a valid store. A difference counts as an edit of the history. A recording that ends before the
 * session removes nothing.
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
      // Another writer was faster; often nothing is left to write.
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
 * Compares a recording with a session's live messages: how many are `known`, the first stored one that differs, and how
 * many come `after`. A deleted message matches anything.
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
