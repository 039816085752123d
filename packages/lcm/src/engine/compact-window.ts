import { type Clock, type CompletionModel, createPause, type TokenCounter } from '@palimpsest/core'
import { type Failure, trimSummary } from '@palimpsest/core/summarizer'
import { firstWorthReading, type IdentifierMemory } from '@palimpsest/extractive'
import { hashSummary } from '../store/hash-summary.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { chooseRun, type Run } from './choose-run.ts'
import { condensedRequest } from './condensed-request.ts'
import { leafRequest, partlyRead } from './leaf-request.ts'
import { materialOf, storedTokens } from './node-frame.ts'
import type { LcmSettings } from './options.ts'
import { type CompactionPlan, STORED_FACTOR } from './plan-compaction.ts'
import { blockTokens, PROSE_SHARE } from './render-summaries.ts'
import type { NodeRoom } from './summarizer-room.ts'
import { type ContextWindow, isUserTurn, type WindowMessage } from './window.ts'
import { type NodeRequest, type NodeText, writeNode } from './write-node.ts'

export interface CompactionInput {
  readonly window: ContextWindow
  readonly plan: CompactionPlan
  readonly settings: LcmSettings
  readonly model: CompletionModel | undefined
  /** The room of the summariser's window for one summary. */
  readonly node: Pick<NodeRoom, 'target' | 'block' | 'before'>
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly signal: AbortSignal | undefined
  readonly streak: number
  readonly must: boolean
  readonly most: number
  readonly memory: IdentifierMemory
}

/** A new frontier that is not in force yet. */
export interface CompactedWindow {
  /** Null when the model failed and everything is to be kept. */
  readonly nodes: readonly SummaryNode[] | null
  readonly created: readonly SummaryNode[]
  readonly failure: Failure | undefined
  /** Messages that the summariser read in part only. */
  readonly partlyRead: readonly WindowMessage[]
  /** The summariser was left out because its window is smaller than what it needs; both in tokens. */
  readonly tooSmall?: { readonly window: number; readonly needed: number }
}

/**
 * Condenses the oldest summaries while there are too many to choose from or to show, and writes a leaf for each block. Changes
 * nothing; when the model fails, the rest is written without it. So is what lies so far back in a list that came at once
 * that it is not worth reading (`worthReading`): a model would be asked hundreds of times before the first request.
 */
export async function compactWindow(input: CompactionInput): Promise<CompactedWindow> {
  const { window, plan, settings, node, tokens, focusTopic, signal, memory } = input
  const { limits } = plan
  const { block: maxBlock } = node
  const nodes = [...window.nodes]
  const blocks = [...plan.blocks]
  const created: SummaryNode[] = []
  const inPart: WindowMessage[] = []
  let failure: Failure | undefined
  /** The user's last message before the next block. */
  let asked = window.request

  const firstWorth = firstWorthReading(window.tail.map(({ message }) => message))
  const worthFrom = firstWorth === 0 ? 0 : (window.tail[firstWorth]?.seq ?? 0)

  const pause = createPause()
  const write = async (request: NodeRequest, lastSeq: number | undefined): Promise<NodeText> => {
    await pause()
    signal?.throwIfAborted()
    const model = failure === undefined && (lastSeq ?? 0) >= worthFrom ? input.model : undefined
    const written = await writeNode(request, { ...input, model })
    failure ??= written.failure
    return written
  }
  const create = (node: Omit<SummaryNode, 'number' | 'hash' | 'at'>): SummaryNode => {
    const number = window.nextSummary + created.length
    const whole = { ...node, number, at: input.clock.now(), hash: hashSummary(node) }
    created.push(whole)
    return whole
  }
  /** False when the model failed and everything is to be kept. */
  const condense = async ({ start, end }: Run): Promise<boolean> => {
    const children = nodes.slice(start, end)
    const request = condensedRequest(children, {
      target: limits.condensed,
      prose: Math.min(limits.prose.condensed, node.target),
      maxBlock,
      focusTopic,
      tokens,
      memory,
    })
    const written = await write(request, children.at(-1)?.last)
    if (written.text === null) return false
    nodes.splice(
      start,
      children.length,
      create(condensedNode(children, request.depth, written, written.text)),
    )
    return true
  }
  const addLeaf = async (block: readonly WindowMessage[]): Promise<boolean> => {
    const last = nodes.at(-1)
    // One that was written for a larger summariser may be longer than this one has room for.
    const before = last && trimSummary(materialOf(last), node.before, tokens)
    const written = await write(
      leafRequest({
        block,
        worthFrom,
        target: limits.leaf,
        prose: Math.min(limits.prose.leaf, node.target),
        maxBlock,
        before,
        request: asked?.message,
        focusTopic,
        tokens,
        memory,
      }),
      block.at(-1)?.seq,
    )
    if (written.text === null) return false
    if (written.writer === 'model') inPart.push(...partlyRead(block, maxBlock))
    nodes.push(create(leafNode(block, written, written.text)))
    asked = block.findLast(isUserTurn) ?? asked
    return true
  }

  while (created.length < input.most) {
    const run = isCrowded(nodes, plan, tokens) ? chooseRun(nodes, settings, maxBlock) : undefined
    const block = run === undefined ? blocks.shift() : undefined
    const writing = run === undefined ? block && addLeaf(block) : condense(run)
    if (writing === undefined) break
    if (!(await writing)) return { nodes: null, created: [], failure, partlyRead: [] }
  }
  return { nodes, created, failure, partlyRead: inPart }
}

export function isCrowded(
  nodes: readonly SummaryNode[],
  { limits: { summaries } }: CompactionPlan,
  tokens: TokenCounter,
): boolean {
  if (nodes.length < 2) return false
  const stored = nodes.reduce((sum, node) => sum + storedTokens(node), 0)
  return stored > summaries * STORED_FACTOR || blockTokens(nodes, tokens) > summaries * PROSE_SHARE
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
  children: readonly SummaryNode[],
  depth: number,
  { tokens, writer }: NodeText,
  text: string,
) {
  const [first, last] = [children[0], children.at(-1)] as [SummaryNode, SummaryNode]
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
