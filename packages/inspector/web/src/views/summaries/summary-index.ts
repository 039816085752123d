import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../format.ts'

export interface SummaryRow {
  readonly node: ViewSummaryNode
  readonly level: number
}

export function indexSummaries(nodes: readonly ViewSummaryNode[]) {
  const byId: ReadonlyMap<string, ViewSummaryNode> = new Map(nodes.map((node) => [node.id, node]))
  const parts = new Set(nodes.flatMap(({ children }) => children))
  const rows: SummaryRow[] = []
  const seen = new Set<ViewSummaryNode>()
  const visit = (node: ViewSummaryNode | undefined, level: number) => {
    if (node === undefined || seen.has(node)) return
    seen.add(node)
    rows.push({ node, level })
    for (const id of node.children) visit(byId.get(id), level + 1)
  }
  const roots = nodes.filter((node) => !parts.has(node.id))
  for (const root of roots.sort((a, b) => a.first - b.first || a.last - b.last)) visit(root, 0)
  return { byId, rows }
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
