import type { SessionView, ViewMessage, ViewRequest, ViewSummaryNode } from '../../src/view/session-view.ts'
import { sampleDecisions } from './sample-decisions.ts'

/** Messages under a leaf, and summaries under a condensed one. */
const leafSize = 20
const fanIn = 8

/** What stands in the context behind the summaries, in messages. */
const tailSize = 40

const words = 'the ledger keeps every invoice in one table and the report reads it twice a day'.split(' ')

/** A long session with summaries of several levels and decisions: the same for the same `count`. */
export function largeView(count: number): SessionView {
  const messages: ViewMessage[] = Array.from({ length: count }, (_, seq) => messageAt(seq))
  const covered = Math.max(1, Math.floor((count - tailSize) / leafSize) * leafSize)
  const nodes = summariesOf(1, covered, messages)
  const frontier = nodes.filter(({ isShown }) => isShown)
  const summaries = frontier.map(({ text, tokens }): ViewMessage => {
    messages.push({ role: 'user', kind: 'summary', text, tokens, seq: null })
    return { role: 'user', kind: 'summary', text, tokens, seq: null }
  })
  const summaryIndexes = summaries.map((_, place) => count + place)
  const last = [0, ...summaryIndexes, ...range(covered + 1, count - 1)]
  return {
    format: 1,
    id: `large-${count}`,
    title: `A session of ${count} messages`,
    source: 'replay',
    engine: 'lcm',
    model: 'offline:sample',
    window: 32_000,
    threshold: 24_000,
    startedAt: 1_760_000_000_000,
    isLive: false,
    messages,
    requests: [...requestsUntil(count), { ...emptyRequest, transcript: count, added: last }],
    compactions: [],
    summaryNodes: nodes,
    decisions: sampleDecisions,
    bill: null,
    warnings: [],
  }
}

function messageAt(seq: number): ViewMessage {
  const at = 1_760_000_000_000 + seq * 15_000
  const lines = seq % 7 === 0 ? (seq * 13) % 40 : 0
  const text = `${sentence(seq)} Message ${seq}.${range(1, lines).map((line) => `\n${line}: ${sentence(line)}`)}`
  const said = { kind: 'message', text, tokens: Math.ceil(text.length / 4), seq, at } as const
  if (seq === 0) return { ...said, role: 'system', kind: 'system' }
  if (seq % 5 === 4) return { ...said, role: 'tool', callId: `call_${seq - 1}` }
  if (seq % 5 !== 3) return { ...said, role: seq % 5 === 1 ? 'user' : 'assistant' }
  const path = `{"path":"src/part-${seq}.ts","lines":40}`
  const calls = [{ id: `call_${seq}`, name: 'read_file', arguments: path }]
  return { ...said, role: 'assistant', text: '', calls }
}

/** Leaves over the messages, condensed again and again until few are left. */
function summariesOf(first: number, last: number, messages: readonly ViewMessage[]): ViewSummaryNode[] {
  let level = range(0, Math.ceil((last - first + 1) / leafSize) - 1).map((leaf) => {
    const start = first + leaf * leafSize
    const end = Math.min(last, start + leafSize - 1)
    const sourceTokens = messages.slice(start, end + 1).reduce((sum, { tokens }) => sum + tokens, 0)
    return nodeOf({ depth: 0, first: start, last: end, children: [], sourceTokens })
  })
  const all = [...level]
  for (let depth = 1; level.length > fanIn; depth += 1) {
    const groups = range(0, Math.floor(level.length / fanIn) - 1).map((group) =>
      level.slice(group * fanIn, (group + 1) * fanIn),
    )
    const above = groups.map((group) =>
      nodeOf({
        depth,
        first: group[0]?.first ?? 0,
        last: group.at(-1)?.last ?? 0,
        children: group.map(({ id }) => id),
        sourceTokens: group.reduce((sum, node) => sum + node.sourceTokens, 0),
      }),
    )
    all.push(...above)
    level = [...above, ...level.slice(groups.length * fanIn)]
  }
  const shown = new Set(level.map(({ id }) => id))
  return all.map((node) => ({ ...node, isShown: shown.has(node.id) }))
}

type NodePlace = Pick<ViewSummaryNode, 'depth' | 'first' | 'last' | 'children' | 'sourceTokens'>

function nodeOf(place: NodePlace): ViewSummaryNode {
  const { depth, first, last } = place
  const text = `Summary of messages ${first} to ${last}.\n- ${sentence(first)}\n- ${sentence(last)}`
  return {
    ...place,
    ...{ id: `s${depth}-${first}`, text, tokens: Math.ceil(text.length / 4) },
    ...{ writer: 'extractive', at: null, isShown: false },
  }
}

/** One request for every ten messages, as if there had been no engine: enough for a chart. */
function requestsUntil(count: number): ViewRequest[] {
  return range(1, Math.floor(count / 10) - 1).map((step) => ({
    ...emptyRequest,
    transcript: step * 10,
    kept: Math.min((step - 1) * 10, 200),
    added: range((step - 1) * 10, step * 10 - 1),
    tokens: { ...emptyRequest.tokens, tail: 4_000 + (step % 40) * 500 },
    without: step * 400,
  }))
}

const emptyRequest: ViewRequest = {
  ...{ transcript: 0, kept: 0, added: [], without: 1_000_000, cache: null },
  tokens: { tools: 300, system: 6, decisions: 0, summaries: 1_000, head: 0, tail: 0 },
}

function sentence(seed: number): string {
  return range(0, 8 + (seed % 9))
    .map((place) => words[(seed * 7 + place * 3) % words.length])
    .join(' ')
}

/** Whole numbers, both ends inclusive. */
function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
}
