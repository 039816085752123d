import { messageText, type Origin, readSummary } from '@palimpsest/core'
import type { MessageTable } from './message-table.ts'
import type { ViewSummaryNode } from './session-view.ts'

export type SummaryLineage = ReturnType<typeof createSummaryLineage>

export function createSummaryLineage(table: MessageTable) {
  let nodes: readonly ViewSummaryNode[] = []

  const create = (
    row: number,
    { of }: Extract<Origin, { readonly from: 'summary' }>,
    replaced: readonly ViewSummaryNode[],
    about: Pick<ViewSummaryNode, 'writer' | 'at'>,
  ): ViewSummaryNode => {
    const [first, last] = [of[0]?.first ?? 0, of.at(-1)?.last ?? 0]
    const children = replaced.filter((node) => node.first >= first && node.last <= last)
    const message = table.source(row)
    let sourceTokens = 0
    for (let place = first; place <= last; place++)
      sourceTokens += table.rows[table.rowAt(place)]?.tokens ?? 0
    return {
      id: `c${row}`,
      depth: children.reduce((depth, child) => Math.max(depth, child.depth + 1), 0),
      ...{ first, last, children: children.map(({ id }) => id), sourceTokens, ...about, isShown: true },
      ...{ text: readSummary(message) ?? messageText(message), tokens: table.rows[row]?.tokens ?? 0 },
    }
  }

  return {
    get nodes() {
      return nodes
    },
    shown(
      rows: readonly number[],
      origins: readonly Origin[],
      about: Pick<ViewSummaryNode, 'writer' | 'at'>,
    ): void {
      const ids = new Set(rows.map((row) => `c${row}`))
      const replaced = nodes.filter(({ id, isShown }) => isShown && !ids.has(id))
      const known = new Set(nodes.map(({ id }) => id))
      const made = rows.flatMap((row, index) => {
        const origin = origins[index]
        if (origin?.from !== 'summary' || origin.of.length === 0 || known.has(`c${row}`)) return []
        return [create(row, origin, replaced, about)]
      })
      if (made.length === 0 && nodes.every(({ id, isShown }) => isShown === ids.has(id))) return
      nodes = [...nodes.map((node) => ({ ...node, isShown: ids.has(node.id) })), ...made]
    },
  }
}
