import { coveringSummary } from '../search/covering-summary.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'

/** The summaries of a frontier's tree that cover a message, from the coarsest to the leaf. Empty when none does. */
export async function summariesCovering(
  session: LcmSession,
  nodes: readonly SummaryNode[],
  seq: number,
): Promise<readonly SummaryNode[]> {
  const path: SummaryNode[] = []
  for (let node = coveringSummary(nodes, seq); node !== undefined; ) {
    path.push(node)
    const children: readonly SummaryNode[] =
      node.children.length > 0 ? await session.summaries(node.children) : []
    node = children.find(({ first, last }) => first <= seq && seq <= last)
  }
  return path
}
