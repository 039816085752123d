import { renderSummary, type Summary, type TokenCounter } from '@palimpsest/core'
import { isWork, joinFrames, renderFrame } from '@palimpsest/summaries'
import { frameOf } from './node-request.ts'
import { topicsOf } from './summary-topics.ts'

const FRAME_TOKENS = 75
const SAID_SHARE = 0.15

const INTRODUCTION =
  'Nothing is lost: before you say that something is not known, call lcm_grep with two or three words or the question; it ' +
  'searches all that was said. lcm_expand with the id of a summary or a range such as m57-m63 gives it back, word for word.'

const INDEX_SHARE = 0.12
const INDEX_TOKENS = 60
const MOST_INDEX_LINES = 12

const FORGOTTEN =
  'The text of this summary was deleted on request; lcm_expand reads what is left of its messages.'

export interface SummariesRoom {
  readonly records: number
  readonly summaries: number
  readonly tokens: TokenCounter
}

function ownText(node: Summary): string {
  return node.forgotten === undefined ? frameOf(node).record : FORGOTTEN
}

export function blockTokens(nodes: readonly Summary[], tokens: TokenCounter): number {
  const sizes = nodes.map(ownText).map((text) => (text === '' ? 0 : tokens.countText(text) + FRAME_TOKENS))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * Renders the texts that replace all messages before the tail, oldest first: records as blocks, runs of summaries
 * without a record as index lines, then the facts of all. Blocks that do not fit become index lines, oldest first, so
 * that every message stays covered.
 *
 * @param request The number of the user's last message, which is shown beside the summaries.
 */
export function renderSummaries(
  nodes: readonly Summary[],
  { records, summaries, tokens }: SummariesRoom,
  request?: number,
): readonly string[] {
  let hidden = 0
  while (hidden < nodes.length - 1 && blockTokens(nodes.slice(hidden), tokens) > records) hidden++
  const blocks: string[] = []
  let indexed: Summary[] = []
  const endIndex = (): void => {
    const lines = Math.max(
      1,
      Math.min(MOST_INDEX_LINES, Math.floor((summaries * INDEX_SHARE) / INDEX_TOKENS)),
    )
    const size = Math.ceil(indexed.length / lines)
    for (let at = 0; at < indexed.length; at += size) blocks.push(renderIndex(indexed.slice(at, at + size)))
    indexed = []
  }
  for (const [index, node] of nodes.entries()) {
    if (index < hidden || ownText(node) === '') {
      indexed.push(node)
      continue
    }
    endIndex()
    blocks.push(renderNode(node))
  }
  endIndex()
  const left = Math.max(0, summaries - tokens.countText(renderSummary([INTRODUCTION, ...blocks].join('\n'))))
  const known = facts(nodes, { summaries, left, tokens }, request)
  return [INTRODUCTION, ...blocks, ...(known === '' ? [] : [withoutTags(known)])]
}

function facts(
  nodes: readonly Summary[],
  { summaries, left, tokens }: { summaries: number; left: number; tokens: TokenCounter },
  request: number | undefined,
): string {
  const frames = nodes.map(frameOf)
  const frame = joinFrames(frames)
  const recorded = frames.filter(({ record }) => record !== '')
  const saidBeside = isWork([], recorded.map(({ record }) => record).join('\n')) ? summaries * SAID_SHARE : 0
  return renderFrame(
    { ...frame, said: frame.said.filter((words) => !words.startsWith(`m${request}: `)) },
    {
      maxTokens: summaries,
      left,
      // Without records, only the user's words say what happened.
      said: recorded.length === frames.length ? saidBeside : left,
      tokens,
    },
  )
}

function renderNode(node: Summary): string {
  const { number, depth, writer, children } = node
  const parts = [
    `id="s${number}"`,
    `depth="${depth}"`,
    ...coverage(node, [node]),
    ...(children.length === 0 ? [] : [`of="${children.map((child) => `s${child}`).join(' ')}"`]),
    `by="${writer}"`,
  ]
  return `<summary ${parts.join(' ')}>\n${withoutTags(ownText(node))}\n</summary>`
}

const OWN_TAGS = /<(\/?(?:summary|index)\b)/gi

function withoutTags(text: string): string {
  return text.replace(OWN_TAGS, '<\\$1')
}

function renderIndex(nodes: readonly Summary[]): string {
  const [first, last] = [nodes[0], nodes.at(-1)] as [Summary, Summary]
  const whole = { first: first.first, last: last.last, from: first.from, to: last.to }
  return `<index ${coverage(whole, nodes).join(' ')}>${runsOf(nodes)}: lcm_describe {"id":"s${first.number}"} shows the text</index>`
}

function runsOf(nodes: readonly Summary[]): string {
  const runs: { first: number; last: number }[] = []
  for (const { number } of nodes) {
    const run = runs.at(-1)
    if (run?.last === number - 1) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs.map(({ first, last }) => (first === last ? `s${first}` : `s${first}-s${last}`)).join(' ')
}

type Coverage = Pick<Summary, 'first' | 'last' | 'from' | 'to'>

function coverage({ first, last, from, to }: Coverage, nodes: readonly Summary[]): string[] {
  const messages = first === last ? `m${first}` : `m${first}-m${last}`
  const time = timeRange(from, to)
  const about = topicsOf(nodes)
  return [
    `messages="${messages}"`,
    ...(time === undefined ? [] : [`time="${time}"`]),
    ...(about === '' ? [] : [`about="${about}"`]),
  ]
}

function timeRange(from: number, to: number): string | undefined {
  const [start, end] = [minute(from), minute(to)]
  if (start === undefined || end === undefined || end.startsWith('1970-01-01')) return undefined
  if (start === end) return start
  return start.slice(0, 10) === end.slice(0, 10) ? `${start}/${end.slice(11)}` : `${start}/${end}`
}

function minute(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16)}Z`
}
