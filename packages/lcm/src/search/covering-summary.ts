import type { SummaryNode } from '../store/summary-node.ts'

/** The summary of a frontier that stands for a message; undefined when the message is shown itself. */
export function coveringSummary(nodes: readonly SummaryNode[], seq: number): SummaryNode | undefined {
  let low = 0
  let high = nodes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((nodes[middle]?.last ?? 0) < seq) low = middle + 1
    else high = middle
  }
  const node = nodes[low]
  return node !== undefined && node.first <= seq ? node : undefined
}
