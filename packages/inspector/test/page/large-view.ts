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
    profile: null,
    model: 'offline:sample',
    summaries: 'extractive',
    window: 32_000,
    threshold: 24_000,
    startedAt: 1_760_000_000_000,
    isLive: false,
    messages,
    requests: [...requestsUntil(count), requestOf(count, 0, last, messages)],
    compactions: [],
    summaryNodes: nodes,
    decisions: sampleDecisions,
    bill: null,
    warnings: [],
  }
}

function messageAt(seq: number): ViewMessage {
  const at = 1_760_000_000_000 + seq * 15_000
  if (seq === 0) return { role: 'system', kind: 'system', text: 'You keep the ledger.', tokens: 6, seq, at }
  const text = `${sentence(seq)} Message ${seq}.${seq % 7 === 0 ? `\n\n${paragraphs(seq)}` : ''}`
  const tokens = Math.ceil(text.length / 4)
  if (seq % 5 === 3) {
    const call = {
      id: `call_${seq}`,
      name: 'read_file',
      arguments: `{"path":"src/part-${seq}.ts","lines":40}`,
    }
    return { role: 'assistant', kind: 'message', text: '', calls: [call], tokens: 24, seq, at }
  }
  if (seq % 5 === 4)
    return { role: 'tool', kind: 'message', text, callId: `call_${seq - 1}`, tokens, seq, at }
  return { role: seq % 5 === 1 ? 'user' : 'assistant', kind: 'message', text, tokens, seq, at }
}

/** Leaves over the messages, condensed again and again until few are left. */
function summariesOf(first: number, last: number, messages: readonly ViewMessage[]): ViewSummaryNode[] {
  let level: ViewSummaryNode[] = []
  for (let start = first; start <= last; start += leafSize) {
    const end = Math.min(last, start + leafSize - 1)
    const sourceTokens = messages.slice(start, end + 1).reduce((sum, { tokens }) => sum + tokens, 0)
    level.push(nodeOf(0, start, end, [], sourceTokens))
  }
  const all = [...level]
  for (let depth = 1; level.length > fanIn; depth += 1) {
    const groups = range(0, Math.floor(level.length / fanIn) - 1).map((group) =>
      level.slice(group * fanIn, (group + 1) * fanIn),
    )
    const rest = level.slice(groups.length * fanIn)
    const above = groups.map((group) => {
      const sourceTokens = group.reduce((sum, node) => sum + node.sourceTokens, 0)
      return nodeOf(
        depth,
        group[0]?.first ?? 0,
        group.at(-1)?.last ?? 0,
        group.map(({ id }) => id),
        sourceTokens,
      )
    })
    all.push(...above)
    level = [...above, ...rest]
  }
  const shown = new Set(level.map(({ id }) => id))
  return all.map((node) => ({ ...node, isShown: shown.has(node.id) }))
}

function nodeOf(
  depth: number,
  first: number,
  last: number,
  children: readonly string[],
  sourceTokens: number,
): ViewSummaryNode {
  const text = `Summary of messages ${first} to ${last}.\n- ${sentence(first)}\n- ${sentence(last)}`
  const tokens = Math.ceil(text.length / 4)
  const id = `s${depth}-${first}`
  return {
    id,
    depth,
    first,
    last,
    children,
    text,
    tokens,
    sourceTokens,
    writer: 'extractive',
    at: null,
    isShown: false,
  }
}

/** One request for every ten messages, as if there had been no engine: enough for a chart. */
function requestsUntil(count: number): ViewRequest[] {
  return range(1, Math.floor(count / 10) - 1).map((step) => ({
    ...emptyRequest,
    transcript: step * 10,
    kept: Math.min((step - 1) * 10, 200),
    added: range(Math.max(Math.min((step - 1) * 10, 200), (step - 1) * 10), step * 10 - 1),
    tokens: { ...emptyRequest.tokens, tail: 4_000 + (step % 40) * 500 },
    without: step * 400,
  }))
}

const emptyRequest: ViewRequest = {
  at: null,
  transcript: 0,
  kept: 0,
  added: [],
  tokens: { tools: 300, system: 6, decisions: 0, summaries: 1_000, head: 0, tail: 0 },
  without: 0,
  cache: null,
  answer: null,
}

function requestOf(
  transcript: number,
  kept: number,
  added: readonly number[],
  messages: readonly ViewMessage[],
): ViewRequest {
  const tail = added.reduce(
    (sum, index) => sum + (messages[index]?.kind === 'message' ? messages[index].tokens : 0),
    0,
  )
  return {
    ...emptyRequest,
    transcript,
    kept,
    added,
    tokens: { ...emptyRequest.tokens, tail },
    without: 1_000_000,
  }
}

function sentence(seed: number): string {
  return range(0, 8 + (seed % 9))
    .map((place) => words[(seed * 7 + place * 3) % words.length])
    .join(' ')
}

function paragraphs(seed: number): string {
  return range(0, (seed * 13) % 40)
    .map((line) => `${line}: ${sentence(seed + line)}`)
    .join('\n')
}

/** Whole numbers, both ends inclusive. */
function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
}
