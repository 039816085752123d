import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../ui/format-count.ts'

/** A leaf was made from messages, level 1 from leaves, and so on. */
export function levelOf(node: ViewSummaryNode): string {
  return node.depth === 0 ? 'Leaf' : `Level ${node.depth}`
}

/** The places that it covers, counted from 1 as everywhere on the page. */
export function rangeOf(node: ViewSummaryNode): string {
  return node.first === node.last
    ? `#${formatCount(node.first + 1)}`
    : `#${formatCount(node.first + 1)}–${formatCount(node.last + 1)}`
}

/** What it saved: `1,200 ← 48,000`. */
export function sizeOf(node: ViewSummaryNode): string {
  return `${formatCount(node.tokens)} ← ${formatCount(node.sourceTokens)}`
}
