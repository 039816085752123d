import type { Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import { isReplaced } from '../history/replaced-ranges.ts'
import type { KnownHead } from '../search/search-types.ts'
import type { Frontier, LcmSession, StoredMessage, SummaryNode } from '../store/lcm-session.ts'
import { messageRef, summaryRef } from './refs.ts'

export const ANSWER_CHARACTERS = 20_000
/** Characters that an answer aims at: about 4,000 tokens. */
export const USUAL_CHARACTERS = 16_000

export interface LcmToolsOptions {
  /** Opens the session that the tools read. Called for each call of a tool: keep the handle. */
  readonly open: () => Promise<LcmSession>
  /** Counts the passages that `model` reads. */
  readonly tokens: TokenCounter
  /** Bounds how long a search takes. Default: the system's. */
  readonly clock?: Clock
  /** Answers questions in `lcm_expand_query`. Without one the tool returns passages. */
  readonly model?: CompletionModel
  /** The session's head, as far as a search has to know it, when the host has it in memory. Default: the session's. */
  readonly head?: () => Promise<KnownHead>
  /** The current frontier, when the host has it in memory. Default: the session's. */
  readonly frontier?: () => Promise<Frontier>
  /** Whether messages that an edit of the history replaced are not there for the tools, nor summaries of them. Default false. */
  readonly hidesReplaced?: boolean
  /** Messages that could not be stored yet: searches say so. Default: none. */
  readonly unsaved?: () => number
  /** Additions to `lcm_status`: work in progress, kind and location of the store. */
  readonly status?: () => Record<string, unknown>
}

export interface ToolContext extends Omit<LcmToolsOptions, 'open' | 'frontier'> {
  readonly clock: Clock
  readonly session: LcmSession
  readonly frontier: () => Promise<Frontier>
  readonly signal: AbortSignal | undefined
}

type Where = Pick<ToolContext, 'session' | 'hidesReplaced'>

/** A message by its number, a replaced one too unless they are hidden. @throws StoreError `NOT_FOUND` that says which there are. */
export async function findMessage({ session, hidesReplaced }: Where, seq: number): Promise<StoredMessage> {
  const includeReplaced = hidesReplaced !== true
  const [message] = await session.messages({ first: seq, last: seq, limit: 1, includeReplaced })
  if (message !== undefined) return message
  const { nextSeq } = await session.head()
  throw notFound(messageRef(seq), nextSeq === 0 ? null : `messages go from m0 to ${messageRef(nextSeq - 1)}`)
}

/** A summary by its number. @throws StoreError `NOT_FOUND` that says which there are. */
export async function findSummary({ session, hidesReplaced }: Where, number: number): Promise<SummaryNode> {
  const [node] = await session.summaries([number])
  const { nextSummary, replaced } = await session.head()
  // An edit replaces all later messages too, so the last message shows it.
  if (node !== undefined && !(hidesReplaced && isReplaced(replaced, node.last))) return node
  const known = nextSummary <= 1 ? null : `summaries go from s1 to ${summaryRef(nextSummary - 1)}`
  throw notFound(summaryRef(number), known)
}

function notFound(ref: string, known: string | null): StoreError {
  return new StoreError(
    'NOT_FOUND',
    `there is no ${ref}; ${known ?? 'there is none of its kind in this conversation yet'}`,
  )
}

/** As many of the first answers as have room, in characters of their JSON text; one at least. */
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
