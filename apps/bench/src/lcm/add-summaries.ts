import { hashSummary, type LcmSession, type SummaryNode } from '@palimpsest/lcm'
import { SUMMARY } from '../workload/stub-model.ts'
import type { BuiltStore } from './build-store.ts'
import { timeOf } from './sessions.ts'

/** Messages of a leaf: about 20K tokens. */
const LEAF_MESSAGES = 24
/** Summaries that a condensed one takes the place of. */
const FAN_IN = 8
/** Messages that one commit covers. */
const COMMIT_MESSAGES = LEAF_MESSAGES * FAN_IN ** 3

/**
 * Covers a session's history as compactions would have: leaves, and over them condensed summaries up to a handful
 * at the top. Returns how many there are.
 */
export async function addSummaries(
  session: LcmSession,
  { tokens, coverTo }: Pick<BuiltStore, 'tokens' | 'coverTo'>,
): Promise<number> {
  const writer = createWriter(tokens)
  let { version } = await session.head()
  let top: SummaryNode[] = []
  for (let first = 1; first <= coverTo; first += COMMIT_MESSAGES) {
    const last = Math.min(coverTo, first + COMMIT_MESSAGES - 1)
    top.push(...writer.condense(writer.cover(first, last)))
    if (last === coverTo) top = writer.condense(top)
    const frontier = await session.commit({
      version,
      create: writer.take(),
      summaries: top.map(({ number }) => number),
      reason: 'compaction',
      at: timeOf(last),
    })
    version = frontier.version
  }
  return writer.count()
}

/** Writes nodes, numbered from 1. */
function createWriter(tokens: readonly number[]) {
  let number = 0
  let untaken: SummaryNode[] = []

  const write = (
    node: Pick<SummaryNode, 'first' | 'last'>,
    children: readonly SummaryNode[],
  ): SummaryNode => {
    const { first, last } = node
    number++
    const proved = {
      number,
      depth: children.reduce((depth, child) => Math.max(depth, child.depth + 1), 0),
      first,
      last,
      messages: last - first + 1,
      children: children.map((child) => child.number),
      text: `${SUMMARY}\n- Summary ${number}.`,
      writer: 'model' as const,
    }
    const written: SummaryNode = {
      ...proved,
      tokens: 1_500,
      sourceTokens: tokens.slice(first, last + 1).reduce((sum, count) => sum + count, 0),
      at: timeOf(last),
      from: timeOf(first),
      to: timeOf(last),
      hash: hashSummary(proved),
    }
    untaken.push(written)
    return written
  }

  const condenseOnce = (nodes: readonly SummaryNode[]): SummaryNode[] =>
    inGroups(nodes, FAN_IN).flatMap((group) => {
      const [head, next] = group
      if (head === undefined || next === undefined) return group
      return [write({ first: head.first, last: group.at(-1)?.last ?? head.last }, group)]
    })

  return {
    count: () => number,
    /** The nodes since the last call, children before parents. */
    take(): SummaryNode[] {
      const taken = untaken
      untaken = []
      return taken
    },
    cover(first: number, last: number): SummaryNode[] {
      const leaves: SummaryNode[] = []
      for (let from = first; from <= last; from += LEAF_MESSAGES)
        leaves.push(write({ first: from, last: Math.min(last, from + LEAF_MESSAGES - 1) }, []))
      return leaves
    },
    /** Condenses until no more than a fan-in is left. */
    condense(nodes: readonly SummaryNode[]): SummaryNode[] {
      let left = [...nodes]
      while (left.length > FAN_IN) left = condenseOnce(left)
      return left
    },
  }
}

function inGroups<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
}
