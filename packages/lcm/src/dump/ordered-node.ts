import type { SummaryNode } from '../store/summary-node.ts'

/** A copy of a summary: its own members and no others, in one order. */
export function orderedNode(node: SummaryNode): SummaryNode {
  const { number, depth, first, last, messages, children, text, tokens, sourceTokens, writer } = node
  const { at, from, to, hash, forgotten } = node
  return {
    ...{ number, depth, first, last, messages, children: [...children], text, tokens, sourceTokens, writer },
    ...{ at, from, to, hash },
    ...(forgotten && { forgotten: { at: forgotten.at, reason: forgotten.reason } }),
  }
}
