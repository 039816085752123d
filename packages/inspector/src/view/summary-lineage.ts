import { type CompressResult, type Origin, readSummary, type TokenCounter } from '@palimpsest/core'
import type { ViewSummaryNode } from './session-view.ts'

/** The summaries of an engine that keeps none, from what its session shows. */
export type SummaryLineage = ReturnType<typeof createSummaryLineage>

export function createSummaryLineage(
  tokens: TokenCounter,
  writers: string,
  sizeOf: (place: number) => number,
) {
  let nodes: ViewSummaryNode[] = []
  let current: readonly ViewSummaryNode[] = []

  const mark = (standing: readonly string[]): void => {
    nodes = nodes.map((node) => {
      const isShown = standing.includes(node.id)
      return isShown === node.isShown ? node : { ...node, isShown }
    })
    current = nodes.filter(({ isShown }) => isShown)
  }

  const nodeOf = (text: string) => current.find((node) => node.text === text)

  const create = (
    text: string,
    first: number,
    last: number,
    { writer, at }: Pick<ViewSummaryNode, 'writer' | 'at'>,
  ): ViewSummaryNode => {
    const children = current.filter((node) => node.first >= first && node.last <= last)
    let sourceTokens = 0
    for (let place = first; place <= last; place++) sourceTokens += sizeOf(place)
    return {
      id: `c${nodes.length + 1}`,
      depth: children.reduce((depth, child) => Math.max(depth, child.depth + 1), 0),
      ...{ first, last, children: children.map(({ id }) => id), text, tokens: tokens.countText(text) },
      ...{ sourceTokens, writer, at, isShown: true },
    }
  }

  return {
    get nodes(): readonly ViewSummaryNode[] {
      return nodes
    },
    /** A compaction was committed: its summaries that are new were made from those that they took the place of. */
    committed({ messages, reason }: CompressResult, origins: readonly Origin[], at: number | null): void {
      // A model that fails is not the writer.
      const writer = reason === 'summarised-without-model' ? 'extractive' : writers
      const texts = messages.map(readSummary)
      if (texts.every((text) => text === undefined || nodeOf(text) !== undefined)) return
      const made = texts.flatMap((text, index) => {
        if (text === undefined) return []
        const known = nodeOf(text)
        if (known !== undefined) return [known]
        const origin = origins[index]
        const [first, last] = origin?.from === 'summary' ? [origin.of[0], origin.of.at(-1)] : []
        return first === undefined || last === undefined
          ? []
          : [create(text, first.first, last.last, { writer, at })]
      })
      nodes = [...nodes, ...made.filter((node) => !nodes.includes(node))]
      mark(made.map(({ id }) => id))
    },
    /** A request was made: without any summary in it, none of them stands for anything any more. */
    shown(hasSummary: boolean): void {
      if (!hasSummary && current.length > 0) mark([])
    },
    /** The host took back everything from a place on: a summary of that speaks for nothing any more. */
    edited(from: number): void {
      if (current.some(({ last }) => last >= from))
        mark(current.filter(({ last }) => last < from).map(({ id }) => id))
    },
    clear: () => mark([]),
  }
}
