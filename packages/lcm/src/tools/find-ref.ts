import { StoreError } from '../errors/store-error.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { messageRef, summaryRef } from './refs.ts'

/** A message by its number, a replaced one too. @throws StoreError `NOT_FOUND` that says which there are. */
export async function findMessage(session: LcmSession, seq: number): Promise<StoredMessage> {
  const [message] = await session.messages({ first: seq, last: seq, limit: 1, includeReplaced: true })
  if (message !== undefined) return message
  const { nextSeq } = await session.head()
  throw notFound(messageRef(seq), nextSeq === 0 ? null : `messages go from m0 to ${messageRef(nextSeq - 1)}`)
}

/** A summary by its number. @throws StoreError `NOT_FOUND` that says which there are. */
export async function findSummary(session: LcmSession, number: number): Promise<SummaryNode> {
  const [node] = await session.summaries([number])
  if (node !== undefined) return node
  const { nextSummary } = await session.head()
  const known = nextSummary <= 1 ? null : `summaries go from s1 to ${summaryRef(nextSummary - 1)}`
  throw notFound(summaryRef(number), known)
}

function notFound(ref: string, known: string | null): StoreError {
  return new StoreError(
    'NOT_FOUND',
    `there is no ${ref}; ${known ?? 'there is none of its kind in this conversation yet'}`,
  )
}
