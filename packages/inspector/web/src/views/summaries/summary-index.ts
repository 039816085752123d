import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../format.ts'

/** A summary in the tree. */
export interface SummaryRow {
  readonly node: ViewSummaryNode
  /** Summaries above it. */
  readonly level: number
}

export type SummaryIndex = ReturnType<typeof indexSummaries>

/** Makes the links of the summaries readable in both directions. A link to a summary that is not there is left out. */
export function indexSummaries(nodes: readonly ViewSummaryNode[]) {
  const byId: ReadonlyMap<string, ViewSummaryNode> = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map<string, ViewSummaryNode[]>()
  for (const node of nodes)
    for (const child of node.children) parents.set(child, [...(parents.get(child) ?? []), node])
  const childrenOf = (node: ViewSummaryNode) => node.children.flatMap((id) => byId.get(id) ?? [])
  const rows: SummaryRow[] = []
  const seen = new Set<ViewSummaryNode>()
  const visit = (node: ViewSummaryNode, level: number) => {
    if (seen.has(node)) return
    seen.add(node)
    rows.push({ node, level })
    for (const child of childrenOf(node)) visit(child, level + 1)
  }
  const roots = nodes.filter((node) => !parents.has(node.id))
  for (const root of roots.sort((a, b) => a.first - b.first || a.last - b.last)) visit(root, 0)
  return { byId, rows, childrenOf, parentsOf: (node: ViewSummaryNode) => parents.get(node.id) ?? [] }
}

export function levelOf(node: ViewSummaryNode): string {
  return node.depth === 0 ? 'Leaf' : `Level ${node.depth}`
}

export function rangeOf(node: ViewSummaryNode): string {
  return node.first === node.last
    ? `#${formatCount(node.first + 1)}`
    : `#${formatCount(node.first + 1)}–${formatCount(node.last + 1)}`
}

export function sizeOf(node: ViewSummaryNode): string {
  return `${formatCount(node.tokens)} ← ${formatCount(node.sourceTokens)}`
}

const PREVIEW = 160

/** The first line with content: headings, frames in brackets and marks of a list say nothing about this summary. */
export function previewOf(text: string): string {
  const lines = text.slice(0, 4_000).split('\n')
  const content = lines.find(
    (line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:#|\[|<|\*\*[^*]*\*\*:?\s*$)/u.test(line),
  )
  return (content ?? text)
    .trim()
    .replace(/^[-*•]\s+/u, '')
    .slice(0, PREVIEW)
}
