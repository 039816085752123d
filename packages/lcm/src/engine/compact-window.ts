import {
  type Clock,
  type CompletionModel,
  createPause,
  messageText,
  type Summary,
  type TokenCounter,
  toolCallInput,
  toolCallsOf,
} from '@palimpsest/core'
import type { Failure } from '@palimpsest/summaries'
import { condensedRequest, leafRequest, type NodeRequest, storedTokens } from './node-request.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { blockTokens } from './render-summaries.ts'
import type { ContextWindow, WindowMessage } from './window.ts'
import { type NodeText, writeNode } from './write-node.ts'

interface CompactionInput {
  readonly window: ContextWindow
  readonly nextSummary: number
  readonly plan: CompactionPlan
  readonly model: CompletionModel | undefined
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly signal: AbortSignal | undefined
  readonly streak: number
  readonly must: boolean
  readonly most: number
}

export interface CompactedWindow {
  readonly summaries: readonly Summary[] | null
  readonly created: readonly Summary[]
  readonly failure: Failure | undefined
  readonly written: WrittenSummaries
}

export interface WrittenSummaries {
  readonly count: number
  readonly read: number
  readonly tokens: number
}

/**
 * Condenses the oldest summaries while there are too many, and writes a leaf for each block. Commits nothing. If the
 * model fails, or a history that arrived at once would need hundreds of calls before the first request, the rest is
 * written without it.
 */
export async function compactWindow(input: CompactionInput): Promise<CompactedWindow> {
  const { window, plan, tokens, signal } = input
  const { limits } = plan
  const summaries = [...window.summaries]
  const blocks = [...plan.blocks]
  const created: Summary[] = []
  let failure: Failure | undefined
  const firstAsked = firstToAskFor(window.tail)
  const askFrom = firstAsked === 0 ? 0 : (window.tail[firstAsked]?.seq ?? 0)

  const counted = { count: 0, read: 0, tokens: 0 }
  const pause = createPause()
  const write = async (request: NodeRequest, lastSeq: number | undefined): Promise<NodeText> => {
    await pause()
    signal?.throwIfAborted()
    const model = failure === undefined && (lastSeq ?? 0) >= askFrom ? input.model : undefined
    const written = await writeNode(request, { ...input, model, quoted: limits.quoted })
    failure ??= written.failure
    counted.count++
    counted.read += request.read
    counted.tokens += written.record ?? Math.min(written.tokens, request.maxTokens)
    return written
  }
  const create = (content: Omit<Summary, 'number' | 'at'>): Summary => {
    const summary = { ...content, number: input.nextSummary + created.length, at: input.clock.now() }
    created.push(summary)
    return summary
  }
  const condense = async ({ start, end }: Run): Promise<boolean> => {
    const children = summaries.slice(start, end)
    const request = condensedRequest(children, { records: limits.records, tokens })
    const written = await write(request, children.at(-1)?.last)
    if (written.text === null) return false
    summaries.splice(
      start,
      children.length,
      create(condensedNode(children, request.depth, written, written.text)),
    )
    return true
  }
  const addLeaf = async (block: readonly WindowMessage[]): Promise<boolean> => {
    const request = await leafRequest(block, { before: summaries.at(-1), records: limits.records, tokens })
    const written = await write(request, block.at(-1)?.seq)
    if (written.text === null) return false
    summaries.push(create(leafNode(block, written, written.text)))
    return true
  }

  while (created.length < input.most) {
    const run = isCrowded(summaries, plan, tokens) ? chooseRun(summaries, limits.run) : undefined
    const block = run === undefined ? blocks.shift() : undefined
    const writing = run === undefined ? block && addLeaf(block) : condense(run)
    if (writing === undefined) break
    if (!(await writing)) return { summaries: null, created: [], failure, written: counted }
  }
  return { summaries, created, failure, written: counted }
}

/** Maximum number of summaries in a frontier: each costs time in every turn. */
const MOST_NODES = 24

export function isCrowded(
  nodes: readonly Summary[],
  { limits }: CompactionPlan,
  tokens: TokenCounter,
): boolean {
  if (nodes.length < 2) return false
  if (nodes.length > MOST_NODES) return true
  const stored = nodes.reduce((sum, node) => sum + storedTokens(node), 0)
  return stored > limits.stored || blockTokens(nodes, tokens) > limits.records
}

function leafNode(block: readonly WindowMessage[], { tokens, writer }: NodeText, text: string) {
  const [first, last] = [block[0], block.at(-1)] as [WindowMessage, WindowMessage]
  return {
    depth: 0,
    first: first.seq,
    last: last.seq,
    messages: block.length,
    children: [],
    text,
    tokens,
    sourceTokens: block.reduce((sum, message) => sum + message.tokens, 0),
    writer,
    from: first.at,
    to: last.at,
  }
}

function condensedNode(
  children: readonly Summary[],
  depth: number,
  { tokens, writer }: NodeText,
  text: string,
) {
  const [first, last] = [children[0], children.at(-1)] as [Summary, Summary]
  return {
    depth,
    first: first.first,
    last: last.last,
    messages: children.reduce((sum, child) => sum + child.messages, 0),
    children: children.map(({ number }) => number),
    text,
    tokens,
    sourceTokens: children.reduce((sum, child) => sum + child.sourceTokens, 0),
    writer,
    from: first.from,
    to: last.to,
  }
}

/** Maximum number of children of a condensed summary (lossless-claw 0.15). */
export const FAN_IN = { leaves: 8, condensed: 4 }

interface Run {
  readonly start: number
  readonly end: number
}

/**
 * Chooses the next summaries to condense: neighbours of one depth, as many as the fan-in and the summariser allow. It
 * prefers the shallowest run that reaches its fan-in, then the shallowest, then the oldest; this order rewrote a leaf
 * least often in simulations over 10,000 leaves. If no neighbours have the same depth, it takes the two newest, because
 * joining the oldest would rewrite the whole past for every leaf.
 */
export function chooseRun(
  nodes: readonly Summary[],
  maxTokens: number = Number.POSITIVE_INFINITY,
): Run | undefined {
  if (nodes.length < 2) return undefined
  const fanIn = (depth: number) => (depth === 0 ? FAN_IN.leaves : FAN_IN.condensed)
  const runs = runsOf(nodes).sort((left, right) => left.depth - right.depth)
  const run = runs.find(({ start, end, depth }) => end - start >= fanIn(depth)) ?? runs[0]
  if (run === undefined) return { start: nodes.length - 2, end: nodes.length }
  const last = Math.min(run.end, run.start + fanIn(run.depth))
  let end = run.start
  for (let size = 0; end < last; end++) {
    size += storedTokens(nodes[end] as Summary)
    if (size > maxTokens && end >= run.start + 2) break
  }
  return { start: run.start, end }
}

function runsOf(nodes: readonly Summary[]): (Run & { readonly depth: number })[] {
  const runs: (Run & { readonly depth: number })[] = []
  for (let start = 0; start < nodes.length; ) {
    const depth = nodes[start]?.depth ?? 0
    let end = start + 1
    while (nodes[end]?.depth === depth) end++
    if (end - start >= 2) runs.push({ start, end, depth })
    start = end
  }
  return runs
}

/** About ten windows of 200,000 tokens. */
const MOST_CHARACTERS = 8_000_000

function firstToAskFor(messages: readonly WindowMessage[]): number {
  let left = MOST_CHARACTERS
  const last = messages.findLastIndex(({ message }) => {
    left -= messageText(message).length
    for (const call of toolCallsOf(message)) left -= toolCallInput(call).length
    return left < 0
  })
  return last + 1
}
