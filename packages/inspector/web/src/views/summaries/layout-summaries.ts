import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre'
import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import type { SummaryIndex } from './summary-index.ts'

export const nodeSize = { width: 276, height: 62 }

export interface PlacedSummary {
  readonly node: ViewSummaryNode
  readonly x: number
  readonly y: number
}

export interface SummaryLayout {
  readonly nodes: readonly PlacedSummary[]
  readonly edges: readonly { readonly parent: string; readonly child: string }[]
}

/** Places the roots and the children of what is open, from left to right. */
export function layoutSummaries(index: SummaryIndex, open: ReadonlySet<string>): SummaryLayout {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 10, ranksep: 56, marginx: 8, marginy: 8 })
  graph.setDefaultEdgeLabel(() => ({}))
  const seen: ViewSummaryNode[] = []
  const edges: { parent: string; child: string }[] = []
  const visit = (node: ViewSummaryNode) => {
    if (graph.hasNode(node.id)) return
    graph.setNode(node.id, { ...nodeSize })
    seen.push(node)
    if (!open.has(node.id)) return
    for (const child of index.childrenOf(node)) {
      visit(child)
      graph.setEdge(node.id, child.id)
      edges.push({ parent: node.id, child: child.id })
    }
  }
  for (const root of index.roots) visit(root)
  const places = new Map(seen.map(({ id, first }) => [id, first]))
  layout(graph, { customOrder: (layered) => orderByPlace(layered, places) })
  const nodes = seen.map((node) => {
    const { x, y } = graph.node(node.id)
    return { node, x: x - nodeSize.width / 2, y: y - nodeSize.height / 2 }
  })
  return { nodes, edges }
}

/** The transcript's order in each column: a tree in this order has no crossings. */
function orderByPlace(
  graph: Graph<GraphLabel, NodeLabel, EdgeLabel>,
  places: ReadonlyMap<string, number>,
): void {
  const columns = new Map<number, { readonly label: NodeLabel; readonly place: number }[]>()
  for (const id of graph.nodes()) {
    const label = graph.node(id)
    // A long edge has helping nodes on its way; they stand where it leads.
    const entry = { label, place: places.get(label.edgeObj?.w ?? id) ?? 0 }
    const column = columns.get(label.rank ?? 0)
    if (column) column.push(entry)
    else columns.set(label.rank ?? 0, [entry])
  }
  for (const column of columns.values()) {
    column.sort((a, b) => a.place - b.place)
    for (const [order, { label }] of column.entries()) label.order = order
  }
}
