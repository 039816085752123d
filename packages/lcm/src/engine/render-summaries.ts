import type { TokenCounter } from '@palimpsest/core'
import type { SummaryNode } from '../store/summary-node.ts'

/** Tokens that the lines around a summary's text take, about. */
export const FRAME_TOKENS = 45

const INTRODUCTION =
  'Each block below stands for the messages that its attributes name. Nothing is lost: lcm_expand with the id of a ' +
  'summary or a message gives back what was said, word for word, and lcm_grep searches all of it.'

/**
 * The text that stands for all messages behind the frontier: each summary as a block that says what it covers, oldest
 * first. When they do not fit into `maxTokens`, the oldest give up their text and one line names them with their ids:
 * nothing is covered by nothing.
 */
export function renderSummaries(
  nodes: readonly SummaryNode[],
  maxTokens: number,
  tokens: TokenCounter,
): string {
  let room = maxTokens - tokens.countText(INTRODUCTION)
  let shown = nodes.length
  for (const node of nodes.toReversed()) {
    room -= node.tokens + FRAME_TOKENS
    if (room < 0) break
    shown--
  }
  // The newest is shown whatever it takes, so that the tail does not begin in the dark.
  const index = nodes.slice(0, Math.min(shown, nodes.length - 1))
  const blocks = nodes.slice(index.length).map(renderNode)
  return [INTRODUCTION, ...(index.length === 0 ? [] : [renderIndex(index)]), ...blocks].join('\n\n')
}

function renderNode(node: SummaryNode): string {
  const { number, depth, writer, text, children } = node
  const parts = [
    `id="s${number}"`,
    `depth="${depth}"`,
    `messages="${messageRange(node)}"`,
    `time="${timeRange(node)}"`,
    ...(children.length === 0 ? [] : [`of="${children.map((child) => `s${child}`).join(' ')}"`]),
    `by="${writer}"`,
  ]
  return `<summary ${parts.join(' ')}>\n${text.replaceAll('</summary', '<\\/summary')}\n</summary>`
}

/** One line for summaries whose text has no room. */
function renderIndex(nodes: readonly SummaryNode[]): string {
  const [first, last] = [nodes[0], nodes.at(-1)] as [SummaryNode, SummaryNode]
  const ids =
    nodes.length === 1 ? `s${first.number}` : `${nodes.length} summaries, s${first.number} to s${last.number}`
  const whole = { first: first.first, last: last.last, from: first.from, to: last.to }
  return `<index messages="${messageRange(whole)}" time="${timeRange(whole)}">${ids}: no room for their text here; lcm_describe {"id":"s${first.number}"} shows it</index>`
}

function messageRange({ first, last }: Pick<SummaryNode, 'first' | 'last'>): string {
  return first === last ? `m${first}` : `m${first}-m${last}`
}

/** From minute to minute, in UTC. */
function timeRange({ from, to }: Pick<SummaryNode, 'from' | 'to'>): string {
  const [start, end] = [minute(from), minute(to)]
  if (start === end) return start
  return start.slice(0, 10) === end.slice(0, 10) ? `${start}/${end.slice(11)}` : `${start}/${end}`
}

function minute(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '?' : `${date.toISOString().slice(0, 16)}Z`
}
