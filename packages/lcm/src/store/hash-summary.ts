import { createHash } from 'node:crypto'
import type { SummaryNode } from './lcm-session.ts'

/** The hash of a node: over its text, what it covers, and what it condenses. */
export function hashSummary(
  node: Pick<SummaryNode, 'depth' | 'first' | 'last' | 'messages' | 'children' | 'text' | 'writer'>,
): string {
  const { depth, first, last, messages, children, text, writer } = node
  const proved = JSON.stringify([depth, first, last, messages, children, text, writer])
  return createHash('sha256').update(proved).digest('hex')
}
