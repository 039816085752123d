import { StoreError } from '../errors/store-error.ts'
import { isReplaced } from '../history/replaced-ranges.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { messageRef, summaryRef } from './refs.ts'
import type { ToolContext } from './tool-context.ts'

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
  // Messages behind an edit are replaced too, so the last message tells.
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
