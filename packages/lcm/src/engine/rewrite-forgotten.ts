import type { StoredSession, Summary, TokenCounter } from '@palimpsest/core'
import { frontierSummaries } from '../history/frontier-history.ts'
import { isConflict } from './frontier-keeper.ts'
import { leafRequest } from './node-request.ts'
import { fromStored } from './window.ts'
import { writeNode } from './write-node.ts'

const LEAST_TARGET = 100
const NOTHING_LEFT = '(All messages of this part were deleted on request.)'

export interface RewriteInput {
  readonly tokens: TokenCounter
  /** The time of the rewrite, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * Replaces current summaries whose texts were deleted with a message that they cover (`StoredSession.forget`).
 * Condensed summaries are opened, and each deleted leaf is rewritten from the remaining messages, without a model.
 * Returns the number of new summaries; the next compaction condenses them again.
 *
 * @throws StoreError `STORE_CONFLICT` if other writers were faster twice.
 */
export async function rewriteForgotten(session: StoredSession, input: RewriteInput): Promise<number> {
  try {
    return await rewrite(session, input)
  } catch (error) {
    if (!isConflict(error)) throw error
    return rewrite(session, input)
  }
}

async function rewrite(session: StoredSession, { tokens, at }: RewriteInput): Promise<number> {
  const { version, nextSummary } = await session.head()
  const create: Summary[] = []
  const summaries: number[] = []
  for (const summary of await openForgotten(session, await frontierSummaries(session, version))) {
    if (summary.forgotten === undefined) {
      summaries.push(summary.number)
      continue
    }
    const number = nextSummary + create.length
    create.push({ ...(await rewriteLeaf(session, summary, tokens)), number, at })
    summaries.push(number)
  }
  if (create.length === 0) return 0
  await session.commit({ version, create, summaries, reason: 'compaction', at })
  return create.length
}

async function openForgotten(session: StoredSession, summaries: readonly Summary[]): Promise<Summary[]> {
  const opened: Summary[] = []
  for (const summary of summaries) {
    if (summary.forgotten === undefined || summary.children.length === 0) opened.push(summary)
    else opened.push(...(await openForgotten(session, await session.summaries(summary.children))))
  }
  return opened
}

async function rewriteLeaf(
  session: StoredSession,
  leaf: Summary,
  tokens: TokenCounter,
): Promise<Omit<Summary, 'number' | 'at'>> {
  const { first, last } = leaf
  const block = (await session.messages({ first, last })).filter(({ message }) => message !== null)
  const records = Math.max(leaf.tokens, LEAST_TARGET)
  const request = await leafRequest(block.map(fromStored), { before: undefined, records, tokens })
  const { text, ...written } = await writeNode(request, {
    ...{ model: undefined, tokens, focusTopic: undefined, memoryContext: undefined, signal: undefined },
    ...{ streak: 0, must: true, quoted: records },
  })
  const { forgotten: _, ...range } = leaf
  if (text !== null && block.length > 0) return { ...range, ...written, text }
  return { ...range, text: NOTHING_LEFT, tokens: tokens.countText(NOTHING_LEFT), writer: 'pointer' }
}
