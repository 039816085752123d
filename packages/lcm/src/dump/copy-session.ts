import type { Hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { InvalidOptionError } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { LcmStore, SessionRef } from '../store/lcm-store.ts'
import { type Comparison, compareSessions } from './compare-sessions.ts'
import { createRecordChecker } from './create-record-checker.ts'

/** Times that a session is written while the source goes on with it. */
const MAX_WRITES = 3

/** Records between two breaths: a file answers so fast that nothing else in the process has a turn, signals included. */
const RECORDS_PER_BREATH = 50

/** The end of a session's copy, after everything that was tried. */
export type CopyOutcome =
  | Exclude<Comparison, { state: 'behind' }>
  /** The source went on with it, again and again. What was copied is its beginning. */
  | { readonly state: 'changed' }
  | { readonly state: 'damaged'; readonly end: CopyEnd; readonly cause: unknown }
  /** The destination does not take such a session. */
  | { readonly state: 'refused'; readonly cause: InvalidOptionError }

export interface SessionCopy {
  readonly from: LcmStore
  readonly to: LcmStore
  /** Of all that was proved before. */
  readonly before: Hash
  readonly signal: AbortSignal | undefined
  /** Is told how many messages were read at the source; all of them are, more than once. */
  readonly onMessages: (count: number) => void
}

/**
 * Brings a session to the destination, whole, and compares both stores. Nothing is written when it, or another one,
 * is there. Rejects with the signal's reason.
 *
 * @returns the outcome, and the messages that were written.
 * @throws StoreError of either store as a whole.
 */
export async function copySession(
  ref: Required<SessionRef>,
  copy: SessionCopy,
): Promise<{ readonly outcome: CopyOutcome; readonly written: number | undefined }> {
  const { from, to, before, signal, onMessages } = copy
  async function* records(store: LcmStore, end: CopyEnd): AsyncGenerator<DumpRecord> {
    let [count, messages] = [0, 0]
    for await (const record of soundRecords(store, ref, end)) {
      if (++count % RECORDS_PER_BREATH === 0) await breathe()
      signal?.throwIfAborted()
      if (end === 'source' && record.type === 'message') onMessages(++messages)
      yield record
    }
  }
  const compare = async (): Promise<Comparison> =>
    (await to.find(ref)) === null
      ? { state: 'behind' }
      : compareSessions(records(from, 'source'), records(to, 'destination'), before)

  let written: number | undefined
  for (let writes = 0; ; writes++) {
    try {
      const outcome = await compare()
      if (outcome.state !== 'behind') return { outcome, written }
      if (writes === MAX_WRITES) return { outcome: { state: 'changed' }, written }
      const { messages } = await to.restore(records(from, 'source'))
      written = (written ?? 0) + messages
    } catch (error) {
      signal?.throwIfAborted()
      // Another writer was faster at the destination: it is looked at again.
      if (StoreError.isInstance(error) && error.code === 'STORE_CONFLICT') continue
      return { outcome: outcomeOf(error), written }
    }
  }
}

/** The outcome that an error stands for. @throws the error, when it is not about the session. */
function outcomeOf(error: unknown): CopyOutcome {
  if (error instanceof UnsoundSession) return { state: 'damaged', end: error.end, cause: error.cause }
  if (StoreError.isInstance(error) && error.code === 'INVALID_DUMP')
    return { state: 'damaged', end: 'source', cause: error }
  if (InvalidOptionError.isInstance(error)) return { state: 'refused', cause: error }
  throw error
}

type CopyEnd = 'source' | 'destination'

/** A session that cannot be read, or is not what was stored. Only this one: the store is all right. */
class UnsoundSession extends Error {
  readonly end: CopyEnd

  constructor(end: CopyEnd, cause: unknown) {
    super(`the session is damaged at the ${end}`, { cause })
    this.end = end
  }
}

/**
 * The records of a session, each proved by its hash and its place.
 *
 * @throws UnsoundSession when one is missing, changed or unreadable; the error of a store that cannot be used.
 */
async function* soundRecords(
  store: LcmStore,
  ref: Required<SessionRef>,
  end: CopyEnd,
): AsyncGenerator<DumpRecord> {
  const checker = createRecordChecker()
  try {
    for await (const record of store.dump(ref)) {
      checker.take(record)
      yield record
    }
    checker.end()
  } catch (error) {
    throw isDamage(error) ? new UnsoundSession(end, error) : error
  }
}

/** Whether an error says that what is stored is damaged, and not that a store cannot be used. */
function isDamage(error: unknown): boolean {
  if (StoreError.isInstance(error)) return error.code === 'STORE_CORRUPT' || error.code === 'INVALID_DUMP'
  // A row that cannot be decoded throws these.
  return error instanceof SyntaxError || error instanceof TypeError
}
