import {
  atOnce,
  inSlices,
  type Message,
  renderSummary,
  type Sliced,
  type TokenCounter,
} from '@palimpsest/core'
import { analyzeMessage, identifierAppendix, quoteLines } from '@palimpsest/extractive'
import type { SummaryNode } from '../store/summary-node.ts'
import { frameOf, joinFrames, memoryOf, proseOf } from './node-frame.ts'

/** Of the room for summaries, what the texts of a model may take; the rest is for quoted lines and identifiers. */
export const PROSE_SHARE = 0.6
/** Of what the texts leave, what quoted lines may take; the rest is for identifiers. In small windows words come before names. */
const EXCERPTS = { share: 0.5, tokens: 700, mostShare: 0.72 }
/** Tokens that the lines around a summary's text take, about. */
const FRAME_TOKENS = 45

const INTRODUCTION =
  'Nothing is lost: lcm_expand with the id of a summary or a message gives back what was said, word for word, and ' +
  'lcm_grep searches all of it.'

/** Stands for a summary whose text was deleted with a message that it covers. */
const FORGOTTEN =
  'The text of this summary was deleted on request; lcm_expand reads what is left of its messages.'

export interface SummariesRoom {
  /** Room for all summaries together, in tokens of `tokens`. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/** Room for quoted lines: half of a room and so many tokens more, in a small one about three quarters. */
export function excerptsWithin(room: number, more: number): number {
  return Math.max(0, Math.floor(Math.min(room * EXCERPTS.share + more, room * EXCERPTS.mostShare)))
}

/** A summary's text in a block of its own: quoted lines and identifiers are shown for all summaries together. */
function ownText(node: SummaryNode): string {
  return node.forgotten === undefined ? frameOf(node).prose : FORGOTTEN
}

/** Tokens of the blocks of summaries, about. */
export function blockTokens(nodes: readonly SummaryNode[], tokens: TokenCounter): number {
  const sizes = nodes.map(ownText).map((text) => (text === '' ? 0 : tokens.countText(text) + FRAME_TOKENS))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The messages that the context shows beside the summaries: they are not quoted and not listed again. */
export interface ShownBeside {
  readonly messages: readonly Message[]
  /** Number of the user's last message, when summaries cover it too. */
  readonly request?: number | undefined
}

interface Rendered extends SummariesRoom, Pick<ShownBeside, 'request'> {
  readonly texts: readonly string[]
}

const rendered = new WeakMap<readonly SummaryNode[], Rendered>()

/**
 * The texts that stand for all messages behind the frontier, oldest first: a block for each summary by a model, one
 * line of ids for those between them, then quoted lines and identifiers of all. When the blocks do not fit, the
 * oldest become such lines, so that every message stays covered. The same summaries are shown the same while messages
 * come, so that a provider's cache holds.
 */
export function renderSummaries(
  nodes: readonly SummaryNode[],
  room: SummariesRoom,
  beside: ShownBeside = { messages: [] },
): readonly string[] {
  return atOnce(renderOnce(nodes, room, beside))
}

/** The same in slices, for a list that is about to be shown: then it is at hand. */
export async function renderAhead(...input: Required<Parameters<typeof renderSummaries>>): Promise<void> {
  await inSlices(renderOnce(...input))
}

function* renderOnce(
  nodes: readonly SummaryNode[],
  room: SummariesRoom,
  beside: ShownBeside,
): Sliced<readonly string[]> {
  const known = rendered.get(nodes)
  const isKnown = known?.maxTokens === room.maxTokens && known.tokens === room.tokens
  if (isKnown && known.request === beside.request) return known.texts
  const texts = yield* render(nodes, room, beside)
  rendered.set(nodes, { ...room, request: beside.request, texts })
  return texts
}

function* render(
  nodes: readonly SummaryNode[],
  { maxTokens, tokens }: SummariesRoom,
  beside: ShownBeside,
): Sliced<readonly string[]> {
  let hidden = 0
  // The newest is shown whatever it takes, so that the tail does not begin in the dark.
  while (hidden < nodes.length - 1 && blockTokens(nodes.slice(hidden), tokens) > maxTokens * PROSE_SHARE)
    hidden++
  const blocks: string[] = []
  let indexed: SummaryNode[] = []
  const endIndex = (): void => {
    if (indexed.length > 0) blocks.push(renderIndex(indexed))
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
  const used = tokens.countText(renderSummary([INTRODUCTION, ...blocks].join('\n')))
  yield
  const parts = yield* derived(nodes, { maxTokens: maxTokens - used, tokens }, beside)
  return [INTRODUCTION, ...blocks, ...parts]
}

/** The quoted lines and the identifiers of all summaries. */
function* derived(
  nodes: readonly SummaryNode[],
  { maxTokens, tokens }: SummariesRoom,
  { messages, request }: ShownBeside,
): Sliced<string[]> {
  const { excerpts: lines, identifiers } = joinFrames(nodes)
  const memory = yield* memoryOf(nodes)
  const asked = `- m${request} user: `
  const quoted = lines.split('\n').filter((line) => !line.startsWith(asked))
  const excerptTokens = excerptsWithin(maxTokens, EXCERPTS.tokens)
  const excerpts = yield* quoteLines({
    messages: [],
    previousSummary: quoted.length > 1 ? quoted.join('\n') : '',
    maxTokens: excerptTokens,
    identifierTokens: maxTokens - excerptTokens,
    memory,
    tokens,
  })
  yield
  const visible = [...nodes.map(proseOf), ...messages]
  for (const message of visible) {
    analyzeMessage(message)
    yield
  }
  const names = identifierAppendix({
    messages: [],
    covered: excerpts,
    visible,
    previousAppendix: identifiers,
    memory,
    scope: 'conversation',
    maxTokens: maxTokens - tokens.countText(excerpts),
    tokens,
  })
  return [excerpts, names].filter((text) => text !== '').map(withoutTags)
}

function renderNode(node: SummaryNode): string {
  const { number, depth, writer, children } = node
  const parts = [
    `id="s${number}"`,
    `depth="${depth}"`,
    ...coverage(node),
    ...(children.length === 0 ? [] : [`of="${children.map((child) => `s${child}`).join(' ')}"`]),
    `by="${writer}"`,
  ]
  return `<summary ${parts.join(' ')}>\n${withoutTags(ownText(node))}\n</summary>`
}

/** Tags in a text that could be taken for the beginning or the end of a block. */
const OWN_TAGS = /<(\/?(?:summary|index)\b)/gi

function withoutTags(text: string): string {
  return text.replace(OWN_TAGS, '<\\$1')
}

/** One line for summaries that have no block of their own. */
function renderIndex(nodes: readonly SummaryNode[]): string {
  const [first, last] = [nodes[0], nodes.at(-1)] as [SummaryNode, SummaryNode]
  const whole = { first: first.first, last: last.last, from: first.from, to: last.to }
  return `<index ${coverage(whole).join(' ')}>${runsOf(nodes)}: lcm_describe {"id":"s${first.number}"} shows the text</index>`
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

type Coverage = Pick<SummaryNode, 'first' | 'last' | 'from' | 'to'>

/** The attributes that say which messages are meant, and of when they are if that is known. */
function coverage({ first, last, from, to }: Coverage): string[] {
  const messages = first === last ? `m${first}` : `m${first}-m${last}`
  const time = timeRange(from, to)
  return [`messages="${messages}"`, ...(time === undefined ? [] : [`time="${time}"`])]
}

/** From minute to minute, in UTC. Undefined without a clock: its messages are of the beginning of the epoch. */
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
