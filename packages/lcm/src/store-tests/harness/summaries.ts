import { hashSummary } from '../../store/hash-summary.ts'
import type { Frontier, LcmSession, SummaryNode } from '../../store/lcm-session.ts'
import { AT } from './talk.ts'

/** A node whose hash is right, whatever else is not. */
export function seal(node: Omit<SummaryNode, 'hash'>): SummaryNode {
  return { ...node, hash: hashSummary(node) }
}

/** A summary of the live messages from `first` to `last`. */
export async function leaf(
  session: LcmSession,
  number: number,
  first: number,
  last: number,
  text = `what m${first} to m${last} say`,
): Promise<SummaryNode> {
  const messages = await session.messages({ first, last, limit: last - first + 1 })
  return seal({
    ...{ number, depth: 0, first, last, messages: messages.length, children: [], text, tokens: text.length },
    sourceTokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
    ...{ writer: 'extractive', at: AT, from: messages[0]?.at ?? AT, to: messages.at(-1)?.at ?? AT },
  })
}

/** A summary of summaries. */
export function condense(
  number: number,
  children: readonly SummaryNode[],
  text = `what s${children.map((child) => child.number).join(' and s')} say`,
): SummaryNode {
  const [oldest, newest] = [children[0], children.at(-1)]
  if (oldest === undefined || newest === undefined) throw new Error('there is nothing to condense')
  return seal({
    ...{
      number,
      depth: Math.max(...children.map(({ depth }) => depth)) + 1,
      first: oldest.first,
      last: newest.last,
    },
    messages: children.reduce((sum, { messages }) => sum + messages, 0),
    children: children.map((child) => child.number),
    ...{ text, tokens: text.length },
    sourceTokens: children.reduce((sum, { sourceTokens }) => sum + sourceTokens, 0),
    ...{ writer: 'model', at: AT, from: oldest.from, to: newest.to },
  })
}

export async function commit(
  session: LcmSession,
  create: readonly SummaryNode[],
  summaries: readonly number[],
): Promise<Frontier> {
  const { version } = await session.head()
  return session.commit({ version, create, summaries, reason: 'compaction', at: AT })
}

/** Puts a leaf over the next messages, as far as `last`, behind the frontier. */
export async function compactTo(session: LcmSession, last: number, text?: string): Promise<Frontier> {
  const { nodes } = await session.frontier()
  const { nextSummary } = await session.head()
  const first = (nodes.at(-1)?.last ?? -1) + 1
  const node = await leaf(session, nextSummary, first, last, text)
  return commit(session, [node], [...nodes.map(({ number }) => number), nextSummary])
}

/** Condenses the whole frontier into one summary. */
export async function condenseAll(session: LcmSession): Promise<Frontier> {
  const { nodes } = await session.frontier()
  const { nextSummary } = await session.head()
  return commit(session, [condense(nextSummary, nodes)], [nextSummary])
}

export function numbersOf(frontier: Frontier): number[] {
  return frontier.nodes.map(({ number }) => number)
}
