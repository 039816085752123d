import type { LcmSession } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'

/**
 * The numbers of the summaries that remain when everything from message `seq` on is replaced. A summary
 * that reaches across is opened into its children; a leaf goes, and its messages are raw again.
 *
 * @param nodes A frontier's, in order.
 */
export async function cutFrontier(
  session: Pick<LcmSession, 'summaries'>,
  nodes: readonly SummaryNode[],
  seq: number,
): Promise<number[]> {
  const end = nodes.findIndex(({ last }) => last >= seq)
  if (end === -1) return nodes.map(({ number }) => number)
  const kept = nodes.slice(0, end).map(({ number }) => number)
  const across = nodes[end]
  if (across === undefined || across.first >= seq || across.children.length === 0) return kept
  return [...kept, ...(await cutFrontier(session, await session.summaries(across.children), seq))]
}
