import type { Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import type { Failure } from '@palimpsest/core/summarizer'
import type { IdentifierMemory } from '@palimpsest/extractive'
import { hashSummary } from '../store/hash-summary.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { chooseRun, type Run } from './choose-run.ts'
import { condensedRequest } from './condensed-request.ts'
import { leafRequest, partlyRead } from './leaf-request.ts'
import { nodeMessage } from './node-message.ts'
import type { LcmSettings } from './options.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import { sizeOf } from './render-summaries.ts'
import type { ContextWindow, WindowMessage } from './window.ts'
import { type NodeRequest, type NodeText, writeNode } from './write-node.ts'

export interface CompactionInput {
  readonly window: ContextWindow
  readonly plan: CompactionPlan
  readonly settings: LcmSettings
  readonly model: CompletionModel | undefined
  /** What a block may have for the summariser's window, in tokens. */
  readonly maxBlock: number
  readonly tokens: TokenCounter
  readonly clock: Clock
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly signal: AbortSignal | undefined
  /** Failures of the model in a row so far. */
  readonly streak: number
  /** True when keeping everything is no way out. */
  readonly must: boolean
  /** Summaries to write at most. */
  readonly most: number
  /** What the session has mentioned so far. */
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
 * Condenses the oldest summaries while all together take more than their room, and writes a leaf for each block. Changes
 * nothing; when the model fails, the rest is written without it.
 */
export async function compactWindow(input: CompactionInput): Promise<CompactedWindow> {
  const { window, plan, settings, maxBlock, tokens, focusTopic, signal, memory } = input
  const { limits } = plan
  const nodes = [...window.nodes]
  const blocks = [...plan.blocks]
  const created: SummaryNode[] = []
  const inPart: WindowMessage[] = []
  let failure: Failure | undefined

  const write = async (request: NodeRequest): Promise<NodeText> => {
    signal?.throwIfAborted()
    const model = failure === undefined ? input.model : undefined
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
      maxBlock,
      focusTopic,
      tokens,
      memory,
    })
    const written = await write(request)
    if (written.text === null) return false
    nodes.splice(
      start,
      children.length,
      create(condensedNode(children, request.depth, written, written.text)),
    )
    return true
  }
  const addLeaf = async (block: readonly WindowMessage[]): Promise<boolean> => {
    const before = nodes.at(-1)?.text
    const target = limits.leaf
    const beside = [...nodes.map(nodeMessage), ...plan.tail.map(({ message }) => message)]
    const written = await write(
      leafRequest({ block, target, maxBlock, before, focusTopic, tokens, memory, beside }),
    )
    if (written.text === null) return false
    if (written.writer === 'model') inPart.push(...partlyRead(block, maxBlock))
    nodes.push(create(leafNode(block, written, written.text)))
    return true
  }

  while (created.length < input.most) {
    const run = isCrowded(nodes, plan) ? chooseRun(nodes, settings, maxBlock) : undefined
    const block = run === undefined ? blocks.shift() : undefined
    const writing = run === undefined ? block && addLeaf(block) : condense(run)
    if (writing === undefined) break
    if (!(await writing)) return { nodes: null, created: [], failure, partlyRead: [] }
  }
  return { nodes, created, failure, partlyRead: inPart }
}

/** True when summaries have to be condensed for lack of room. */
export function isCrowded(nodes: readonly SummaryNode[], { limits }: CompactionPlan): boolean {
  return nodes.length > 1 && sizeOf(nodes) > limits.summaries
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
