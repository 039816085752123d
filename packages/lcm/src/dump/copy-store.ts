import { createHash, type Hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { LcmStore } from '../store/lcm-store.ts'
import { type CopyDifference, concernsForks, describeFork, describeOutcome } from './copy-difference.ts'
import { copySession } from './copy-session.ts'
import { DUMP_HEADER } from './dump-schema.ts'
import {
  countSessions,
  type SessionChoice,
  sessionName,
  type WalkedSession,
  walkSessions,
} from './walk-sessions.ts'

/** The progress of a copy. Sessions that are there already count as well: they are compared. */
export interface CopyProgress {
  readonly sessions: number
  readonly messages: number
  /** All that there were at the beginning. */
  readonly of: { readonly sessions: number; readonly messages: number }
}

export interface CopyOptions extends SessionChoice {
  /** Ends the copy between two records. What was copied before stays; the session that it was at is not begun. */
  readonly signal?: AbortSignal
  /** Is told of each session and each message. */
  readonly onProgress?: (progress: CopyProgress) => void
}

export interface CopyResult {
  /** Sessions that are new at the destination or were continued, and now are the same at both ends. */
  readonly copied: number
  /** Sessions that were the same at both ends before. */
  readonly upToDate: number
  /** Messages that were written. */
  readonly written: number
  /** Messages of all sessions that are the same at both ends. */
  readonly messages: number
  /**
   * SHA-256 of what both stores say of these sessions, as 64 hexadecimal digits: what the last line of an export of
   * them has, from either store.
   */
  readonly sha256: string
  /** Sessions that are not the same at both ends. Empty when all is well. */
  readonly differences: readonly CopyDifference[]
}

/**
 * Copies sessions from one store into another, each behind those that it was forked from. Each is written whole and
 * read back from both stores, whose records must have the same hash. A session that is there already is continued or
 * left as it is; a different one is never overwritten but reported, and the others are copied. A copy that ended
 * early is continued by the next. Memory holds some records and the names of sessions. While a session is written,
 * others may have to wait for the destination: see `LcmStore.restore`.
 *
 * @throws the signal's reason; StoreError when either store cannot be used, and `NOT_FOUND` for an unknown session.
 */
export async function copyStore(
  from: LcmStore,
  to: LcmStore,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const { signal } = options
  signal?.throwIfAborted()
  const counts = { copied: 0, upToDate: 0, written: 0, messages: 0 }
  const differences: CopyDifference[] = []
  const otherParents = new Set<string>()
  const of = await countSessions(from, options)
  const done = { sessions: 0, messages: 0 }
  /** Messages of the session at hand that were read. It is read more than once; they count once. */
  let current = 0
  const report = () => options.onProgress?.({ ...done, messages: done.messages + current, of })
  let proved: Hash = createHash('sha256').update(`${JSON.stringify(DUMP_HEADER)}\n`)

  const copy = async (ref: WalkedSession): Promise<Omit<CopyDifference, 'principal' | 'key'> | undefined> => {
    const { principal, key, parent } = ref
    if (parent !== undefined && otherParents.has(sessionName({ principal, key: parent })))
      return describeFork(parent)
    const onMessages = (count: number): void => {
      if (count <= current) return
      current = count
      report()
    }
    const { outcome, written } = await copySession(
      { principal, key },
      { from, to, before: proved, signal, onMessages },
    )
    counts.written += written ?? 0
    if (outcome.state !== 'equal') return describeOutcome(outcome)
    proved = outcome.digest
    counts[written === undefined ? 'upToDate' : 'copied']++
    counts.messages += current
    return undefined
  }

  for await (const ref of walkSessions(from, options)) {
    // Whoever listens to the user has a turn.
    await breathe()
    signal?.throwIfAborted()
    const { principal, key } = ref
    const difference = await copy(ref)
    if (difference !== undefined) {
      differences.push({ principal, key, ...difference })
      if (concernsForks(difference)) otherParents.add(sessionName(ref))
    }
    done.sessions++
    done.messages += current
    current = 0
    report()
  }
  return { ...counts, sha256: proved.digest('hex'), differences }
}
