import type { TokenCounter } from '@palimpsest/core'
import { hashSummary } from '../store/hash-summary.ts'
import type { LcmSession, SummaryNode } from '../store/lcm-session.ts'
import { storedMessages } from './load-window.ts'
import { leafRequest } from './node-request.ts'
import { fromStored, type WindowMessage } from './window.ts'
import { isConflict } from './window-keeper.ts'
import { type NodeText, writeNode } from './write-node.ts'

/** A summary is aimed at the length of the one that it replaces, and at this many tokens if that was shorter. */
const LEAST_TARGET = 100
/** Stands for messages of which nothing is left. */
const NOTHING_LEFT = '(All messages of this part were deleted on request.)'

export interface RewriteInput {
  readonly tokens: TokenCounter
  /** When, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * Replaces the summaries in force whose texts were deleted with a message that they cover (`LcmSession.forget`):
 * condensed ones are opened, and each forgotten leaf is written anew, without a model, from the messages that are
 * left. Returns the number of new ones; the next compaction condenses them again.
 *
 * @throws StoreConflictError when other writers were faster twice.
 */
export async function rewriteForgotten(session: LcmSession, input: RewriteInput): Promise<number> {
  try {
    return await rewrite(session, input)
  } catch (error) {
    if (!isConflict(error)) throw error
    return rewrite(session, input)
  }
}

async function rewrite(session: LcmSession, { tokens, at }: RewriteInput): Promise<number> {
  // The version first: when another writer gets in between, the commit says so.
  const { version, nodes } = await session.frontier()
  const { nextSummary } = await session.head()
  const opened = await openForgotten(session, nodes)
  const create: SummaryNode[] = []
  const summaries: number[] = []
  for (const node of opened) {
    if (node.forgotten === undefined) {
      summaries.push(node.number)
      continue
    }
    const fresh = await rewriteLeaf(session, node, tokens)
    const number = nextSummary + create.length
    create.push({ ...fresh, number, at, hash: hashSummary(fresh) })
    summaries.push(number)
  }
  if (create.length === 0) return 0
  await session.commit({ version, create, summaries, reason: 'compaction', at })
  return create.length
}

/** The summaries with every forgotten one that condenses others opened into them. */
async function openForgotten(
  session: Pick<LcmSession, 'summaries'>,
  nodes: readonly SummaryNode[],
): Promise<SummaryNode[]> {
  const opened: SummaryNode[] = []
  for (const node of nodes) {
    if (node.forgotten === undefined || node.children.length === 0) opened.push(node)
    else opened.push(...(await openForgotten(session, await session.summaries(node.children))))
  }
  return opened
}

async function rewriteLeaf(
  session: LcmSession,
  leaf: SummaryNode,
  tokens: TokenCounter,
): Promise<Omit<SummaryNode, 'number' | 'at' | 'hash'>> {
  const { first, last, messages, sourceTokens, from, to } = leaf
  const block = await readLeft(session, leaf)
  const { text, ...written } = await writeText(block, Math.max(leaf.tokens, LEAST_TARGET), tokens)
  const range = { first, last, messages, sourceTokens, from, to }
  return {
    ...{ depth: 0, children: [], ...range },
    ...(text === null || block.length === 0
      ? { text: NOTHING_LEFT, tokens: tokens.countText(NOTHING_LEFT), writer: 'pointer' }
      : { ...written, text }),
  }
}

/** The live messages under a leaf that were not forgotten. */
async function readLeft(session: LcmSession, { first, last }: SummaryNode): Promise<WindowMessage[]> {
  const left: WindowMessage[] = []
  for await (const message of storedMessages(session, { first, last }))
    if (message.forgotten === undefined) left.push(fromStored(message))
  return left
}

function writeText(block: readonly WindowMessage[], target: number, tokens: TokenCounter): Promise<NodeText> {
  const request = leafRequest(block, { before: undefined, records: target, tokens })
  const by = { model: undefined, tokens, focusTopic: undefined, memoryContext: undefined, signal: undefined }
  return writeNode(request, { ...by, streak: 0, must: true, quoted: target })
}
