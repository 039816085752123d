import { orderedNode } from '../dump/ordered-node.ts'
import type { SummaryNode } from '../store/summary-node.ts'

/** A summary as the memory keeps it and gives it out: a copy that nobody can change. */
export function freezeNode(node: SummaryNode): SummaryNode {
  const copy = orderedNode(node)
  Object.freeze(copy.children)
  Object.freeze(copy.forgotten)
  return Object.freeze(copy)
}
