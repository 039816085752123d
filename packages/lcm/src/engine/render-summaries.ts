import type { SummaryNode } from '../store/summary-node.ts'

/** Tokens that the lines around a summary's text take, about. */
const FRAME_TOKENS = 45
/** Tokens of the introduction, about. */
const INTRODUCTION_TOKENS = 65

const INTRODUCTION =
  'Each block below stands for the messages that its attributes name. Nothing is lost: lcm_expand with the id of a ' +
  'summary or a message gives back what was said, word for word, and lcm_grep searches all of it.'

/** What stands for a summary whose text was deleted with a message that it covers. */
const FORGOTTEN =
  'The text of this summary was deleted on request; lcm_expand reads what is left of its messages.'
/** Tokens of it, about. */
const FORGOTTEN_TOKENS = 20

/** What the text of a summary takes, in tokens; about, when it was deleted. */
export function textTokens({ tokens, forgotten }: SummaryNode): number {
  return forgotten === undefined ? tokens : FORGOTTEN_TOKENS
}

/** What summaries take of the context, in tokens, about. */
export function sizeOf(nodes: readonly SummaryNode[]): number {
  return nodes.reduce((sum, node) => sum + textTokens(node) + FRAME_TOKENS, INTRODUCTION_TOKENS)
}

/**
 * The texts that stand for all messages behind the frontier: each summary as a block that says what it covers, oldest
 * first, so that a new one changes nothing before it. When they do not fit into `maxTokens`, the oldest give up their text and one line names them with their ids:
 * nothing is covered by nothing.
 */
export function renderSummaries(nodes: readonly SummaryNode[], maxTokens: number): readonly string[] {
  let hidden = 0
  // The newest is shown whatever it takes, so that the tail does not begin in the dark.
  while (hidden < nodes.length - 1 && sizeOf(nodes.slice(hidden)) > maxTokens) hidden++
  const index = nodes.slice(0, hidden)
  const blocks = nodes.slice(index.length).map(renderNode)
  return [INTRODUCTION, ...(index.length === 0 ? [] : [renderIndex(index)]), ...blocks]
}

function renderNode(node: SummaryNode): string {
  const { number, depth, writer, children, forgotten } = node
  const text = forgotten === undefined ? node.text : FORGOTTEN
  const parts = [
    `id="s${number}"`,
    `depth="${depth}"`,
    `messages="${messageRange(node)}"`,
    `time="${timeRange(node)}"`,
    ...(children.length === 0 ? [] : [`of="${children.map((child) => `s${child}`).join(' ')}"`]),
    `by="${writer}"`,
  ]
  return `<summary ${parts.join(' ')}>\n${text.replace(OWN_TAGS, '<\\$1')}\n</summary>`
}

/** What in a text could be taken for the beginning or the end of a block. */
const OWN_TAGS = /<(\/?(?:summary|index)\b)/gi

/** One line for summaries whose text has no room. */
function renderIndex(nodes: readonly SummaryNode[]): string {
  const [first, last] = [nodes[0], nodes.at(-1)] as [SummaryNode, SummaryNode]
  const whole = { first: first.first, last: last.last, from: first.from, to: last.to }
  return `<index messages="${messageRange(whole)}" time="${timeRange(whole)}">${runsOf(nodes)}: no room for the text here; lcm_describe {"id":"s${first.number}"} shows it</index>`
}

/** The ids of summaries, with runs of consecutive ones as one: `s3-s7 s12`. */
function runsOf(nodes: readonly SummaryNode[]): string {
  const runs: { first: number; last: number }[] = []
  for (const { number } of nodes) {
    const run = runs.at(-1)
    if (run?.last === number - 1) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs.map(({ first, last }) => (first === last ? `s${first}` : `s${first}-s${last}`)).join(' ')
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
