import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../format.ts'

export interface SummaryIndex {
  readonly byId: ReadonlyMap<string, ViewSummaryNode>
  readonly roots: readonly ViewSummaryNode[]
  readonly childrenOf: (node: ViewSummaryNode) => readonly ViewSummaryNode[]
  readonly parentsOf: (node: ViewSummaryNode) => readonly ViewSummaryNode[]
  readonly ancestorsOf: (id: string) => ReadonlySet<string>
}

/** Makes the links of the summaries readable in both directions. A link to a summary that is not there is left out. */
export function indexSummaries(nodes: readonly ViewSummaryNode[]): SummaryIndex {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map<string, ViewSummaryNode[]>()
  for (const node of nodes) {
    for (const child of node.children) {
      const known = parents.get(child)
      if (known) known.push(node)
      else parents.set(child, [node])
    }
  }
  const parentsOf = (node: ViewSummaryNode) => parents.get(node.id) ?? []
  return {
    byId,
    roots: nodes.filter((node) => !parents.has(node.id)).sort((a, b) => a.first - b.first || a.last - b.last),
    childrenOf: (node) => node.children.flatMap((id) => byId.get(id) ?? []),
    parentsOf,
    ancestorsOf: (id) => {
      const above = new Set<string>()
      const open = [id]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const parent of parents.get(next) ?? []) {
          if (above.has(parent.id)) continue
          above.add(parent.id)
          open.push(parent.id)
        }
      }
      return above
    },
  }
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
