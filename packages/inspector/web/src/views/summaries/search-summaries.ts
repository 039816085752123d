import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import type { PlacedMessage } from '../../ui/find-messages.ts'
import { type SearchTerms, searchPattern } from '../../ui/search-pattern.ts'
import { countMatches } from '../../ui/use-message-search.ts'

export interface SummaryHit {
  readonly node: ViewSummaryNode
  readonly inText: number
  readonly below: number
}

/** The summaries with a match in their text or below, leaves first. `counts`: position in the transcript → matches. */
export function searchSummaries(
  nodes: readonly ViewSummaryNode[],
  messages: readonly PlacedMessage[],
  counts: ReadonlyMap<number, number>,
  terms: SearchTerms,
): readonly SummaryHit[] {
  const pattern = searchPattern(terms)
  if (pattern === null) return []
  const places = [...counts.keys()].flatMap((position) => messages[position]?.message.seq ?? [])
  return nodes
    .map((node) => ({
      node,
      inText: countMatches(node.text, pattern),
      // After its messages were taken back, others stand at a summary's places.
      below: node.isReplaced ? 0 : places.filter((seq) => node.first <= seq && seq <= node.last).length,
    }))
    .filter(({ inText, below }) => inText + below > 0)
    .sort((a, b) => a.node.depth - b.node.depth || a.node.first - b.node.first)
}
