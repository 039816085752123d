import { countLive } from '../history/replaced-ranges.ts'
import { hashSummary } from '../store/hash-summary.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { CheckContext } from './check-messages.ts'
import { readOrReport } from './read-or-report.ts'
import { readRuns } from './read-runs.ts'

const PAGE = 100

/** Every summary is what its hash says, and agrees with the messages or the summaries that it stands for. */
export async function checkSummaries(context: CheckContext): Promise<void> {
  const { session, head, list } = context
  const read = async (first: number, last: number) => {
    const nodes = await session.summaries(
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    return new Map(nodes.map((node) => [node.number, node]))
  }
  const report = (number: number, reason: string) =>
    list.about(`s${number}`, 'summary-unreadable', `cannot be read: ${reason}`)
  const range = { first: 1, last: head.nextSummary - 1, page: PAGE }
  for await (const { first, last, found } of readRuns(range, read, report))
    for (let number = first; number <= last; number++) {
      const node = found.get(number)
      if (node !== undefined) await checkSummary(context, node)
      else list.about(`s${number}`, 'summary-missing', 'is not there')
    }
}

async function checkSummary(context: CheckContext, node: SummaryNode): Promise<void> {
  const { number, first, last, messages, text, forgotten } = node
  const { head, list } = context
  const ref = `s${number}`
  if (forgotten !== undefined) {
    if (text !== '') list.about(ref, 'forgotten-content', 'was forgotten, but its text is still there')
  } else if (hashSummary(node) !== node.hash)
    list.about(ref, 'summary-hash', 'is not what was stored: its hash is another')
  if (first < 0 || last < first || last >= head.nextSeq || messages < 1) {
    list.about(ref, 'summary-empty', 'covers nothing, or messages that are not there')
    return
  }
  // Messages replaced after it was written are covered; those replaced before are not.
  if (messages > last - first + 1 || messages < countLive(head.replaced, first, last))
    list.about(ref, 'summary-count', `does not cover ${messages} messages between m${first} and m${last}`)
  if (node.children.length === 0) await checkLeaf(context, node)
  else await checkCondensed(context, node)
}

async function checkLeaf({ session, list }: CheckContext, node: SummaryNode): Promise<void> {
  const { number, depth, first, last, from, to } = node
  const ref = `s${number}`
  if (depth !== 0) list.about(ref, 'summary-depth', `has no children, but a depth of ${depth}`)
  for (const [seq, at] of [
    [first, from],
    [last, to],
  ] as const) {
    // One that cannot be read is a fault of the message.
    const query = { first: seq, last: seq, limit: 1, includeReplaced: true }
    const found = await readOrReport(
      () => session.messages(query),
      () => {},
    )
    if (found === undefined || found.length === 0) continue
    if (found[0]?.at !== at) list.about(ref, 'summary-time', `has another time than m${seq}`)
  }
}

async function checkCondensed({ session, head, list }: CheckContext, node: SummaryNode): Promise<void> {
  const ref = `s${node.number}`
  const found = await readOrReport(
    () => session.summaries(node.children),
    () => {},
  )
  // One that cannot be read is reported where it stands.
  if (found === undefined) return
  const dangling = node.children.find((child) => !found.some(({ number }) => number === child))
  if (dangling !== undefined) {
    list.about(ref, 'summary-dangling', `condenses s${dangling}, which is not there`)
    return
  }
  if (node.children.some((child) => child >= node.number))
    list.about(ref, 'summary-cycle', 'condenses a summary that is not older than itself')
  for (const [index, child] of found.entries()) {
    const next = found[index + 1]
    if (next === undefined) break
    if (next.first <= child.last || countLive(head.replaced, child.last + 1, next.first - 1) > 0)
      list.add(
        'summary-children',
        `s${child.number} and s${next.number} under s${node.number} are no run`,
        ref,
      )
  }
  const expected = aggregate(found)
  if (node.depth !== expected.depth)
    list.about(ref, 'summary-depth', `has a depth of ${node.depth}, not ${expected.depth}`)
  if (node.first !== expected.first || node.last !== expected.last)
    list.about(ref, 'summary-range', 'covers another run than its children do')
  if (node.messages !== expected.messages)
    list.about(ref, 'summary-count', `counts ${node.messages} messages, its children ${expected.messages}`)
  if (node.from !== expected.from || node.to !== expected.to)
    list.about(ref, 'summary-time', 'has another time than its children')
}

/** The values of a summary over these children. */
function aggregate(children: readonly SummaryNode[]) {
  const [oldest, newest] = [children[0], children.at(-1)]
  return {
    depth: Math.max(...children.map(({ depth }) => depth)) + 1,
    messages: children.reduce((sum, { messages }) => sum + messages, 0),
    ...{ first: oldest?.first, last: newest?.last, from: oldest?.from, to: newest?.to },
  }
}
