import type { StoredSession, Summary, TokenCounter } from '@palimpsest/core'
import { frontierSummaries } from '../history/frontier-history.ts'
import { isConflict } from './frontier-keeper.ts'
import { leafRequest } from './node-request.ts'
import { fromStored } from './window.ts'
import { writeNode } from './write-node.ts'

/** A summary is aimed at the length of the one that it replaces, and at this many tokens if that was shorter. */
const LEAST_TARGET = 100
/** The text of a summary of messages of which nothing is left. */
const NOTHING_LEFT = '(All messages of this part were deleted on request.)'

export interface RewriteInput {
  readonly tokens: TokenCounter
  /** When, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * Replaces the summaries in force whose texts were deleted with a message that they cover (`StoredSession.forget`):
 * condensed ones are opened, and each forgotten leaf is written anew, without a model, from the messages that are
 * left. Returns the number of new ones; the next compaction condenses them again.
 *
 * @throws StoreError `STORE_CONFLICT` when other writers were faster twice.
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

/** The summaries with every forgotten one that condenses others opened into them. */
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
