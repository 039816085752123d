import type { LcmStore, SeqRange, SummaryNode } from '@palimpsest/lcm'
import type { ViewSummaryNode } from './session-view.ts'
import { transcriptPlace } from './transcript-places.ts'

/** Every summary that was ever made of a session, children before parents; none for a session that is not there. */
export async function lcmSummaryNodes(
  store: LcmStore,
  ref: { readonly principal: string; readonly key: string },
): Promise<readonly ViewSummaryNode[]> {
  const session = await store.find(ref)
  if (session === null) return []
  const { nextSummary, replaced } = await session.head()
  const numbers = Array.from({ length: nextSummary - 1 }, (_, index) => index + 1)
  const [nodes, frontier] = await Promise.all([session.summaries(numbers), session.frontier()])
  const shown = new Set(frontier.nodes.map(({ number }) => number))
  return nodes.map((node) => viewNode(node, shown.has(node.number), replaced))
}

function viewNode(node: SummaryNode, isShown: boolean, replaced: readonly SeqRange[]): ViewSummaryNode {
  const { depth, first, last, children, tokens, sourceTokens, writer, at, forgotten } = node
  const place = (seq: number) => transcriptPlace(replaced, seq)
  // Whatever is taken back, is taken back up to the end: with any message of a summary its last one goes.
  const isReplaced = isIn(replaced, last)
  return {
    ...{ id: refOf(node.number), depth, first: place(first), last: place(last) },
    ...(isReplaced && { isReplaced }),
    children: children.map(refOf),
    text: forgotten === undefined ? node.text : `(Deleted on request: ${forgotten.reason})`,
    ...{ tokens, sourceTokens, writer, at: at > 0 ? at : null, isShown },
  }
}

/** As the engine's tools name it. */
function refOf(number: number): string {
  return `s${number}`
}

function isIn(ranges: readonly SeqRange[], seq: number): boolean {
  return ranges.some(({ first, last }) => first <= seq && seq <= last)
}
