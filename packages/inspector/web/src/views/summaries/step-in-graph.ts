import type { PlacedSummary, SummaryLayout } from './layout-summaries.ts'
import type { SummaryIndex } from './summary-index.ts'

export type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

/**
 * The summary that an arrow key leads to: right to the first child, left to a parent, up and down to the neighbour in the
 * same column. Undefined at an end.
 */
export function stepInGraph(
  layout: SummaryLayout,
  index: SummaryIndex,
  from: string | null,
  key: ArrowKey,
): string | undefined {
  const start = layout.nodes.find(({ node }) => node.id === from)
  if (start === undefined) return layout.nodes[0]?.node.id
  const isThere = (id: string) => layout.nodes.some(({ node }) => node.id === id)
  if (key === 'ArrowRight') return start.node.children.find(isThere)
  if (key === 'ArrowLeft') return index.parentsOf(start.node).find(({ id }) => isThere(id))?.id
  const column = layout.nodes
    .filter(({ x }) => Math.abs(x - start.x) < 1)
    .sort((a: PlacedSummary, b: PlacedSummary) => a.y - b.y)
  return column[column.indexOf(start) + (key === 'ArrowUp' ? -1 : 1)]?.node.id
}
