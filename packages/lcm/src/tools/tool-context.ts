import type { Clock, StoredMessage, StoredSession, Summary } from '@palimpsest/core'
import { StoreError } from '@palimpsest/store'
import { isReplaced } from '../history/replaced-ranges.ts'
import { messageRef, summaryRef } from './refs.ts'

export const ANSWER_CHARACTERS = 20_000
export const USUAL_CHARACTERS = 16_000

export interface LcmToolsOptions {
  /** Opens the session to read. Called for each tool call; the caller keeps the handle. */
  readonly open: () => Promise<StoredSession>
  /** Limits the duration of a search. Default: the system clock. */
  readonly clock?: Clock
  /** True hides replaced messages, and summaries of them. Default false. */
  readonly hidesReplaced?: boolean
  /** Number of unsaved messages, reported by searches. Default: none. */
  readonly unsaved?: () => number
  /** Additions to the overview of `lcm_describe`: work in progress, kind and location of the store. */
  readonly status?: () => Record<string, unknown>
}

export interface ToolContext extends Omit<LcmToolsOptions, 'open'> {
  readonly clock: Clock
  readonly session: StoredSession
  readonly signal: AbortSignal | undefined
}

type Where = Pick<ToolContext, 'session' | 'hidesReplaced'>

/**
 * Finds a message by number; replaced ones too unless they are hidden. @throws StoreError `NOT_FOUND` that names the
 * existing range.
 */
export async function findMessage({ session, hidesReplaced }: Where, seq: number): Promise<StoredMessage> {
  const includeReplaced = hidesReplaced !== true
  const [message] = await session.messages({ first: seq, last: seq, limit: 1, includeReplaced })
  if (message !== undefined) return message
  const { nextSeq } = await session.head()
  throw notFound(messageRef(seq), nextSeq === 0 ? null : `messages go from m0 to ${messageRef(nextSeq - 1)}`)
}

export async function findSummary({ session, hidesReplaced }: Where, number: number): Promise<Summary> {
  const [summary] = await session.summaries([number])
  const { nextSummary, replaced } = await session.head()
  // An edit replaces all later messages too, so the last message decides.
  if (summary !== undefined && !(hidesReplaced && isReplaced(replaced, summary.last))) return summary
  const known = nextSummary <= 1 ? null : `summaries go from s1 to ${summaryRef(nextSummary - 1)}`
  throw notFound(summaryRef(number), known)
}

function notFound(ref: string, known: string | null): StoreError {
  return new StoreError(
    'NOT_FOUND',
    `there is no ${ref}; ${known ?? 'there is none of its kind in this conversation yet'}`,
  )
}

export function fitting<Answer extends object>(
  answers: readonly Answer[],
  characters: number,
): readonly Answer[] {
  let size = 0
  const over = answers.findIndex((answer) => {
    size += JSON.stringify(answer).length + 1
    return size > characters
  })
  return over === -1 ? answers : answers.slice(0, Math.max(1, over))
}
