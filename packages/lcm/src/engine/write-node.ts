import { type CompletionModel, redactSecrets, type Summary, type TokenCounter } from '@palimpsest/core'
import {
  type Failure,
  judgeFailure,
  renderFrame,
  type SummaryFrame,
  summarize,
  withRecord,
} from '@palimpsest/summaries'
import type { NodeRequest } from './node-request.ts'

const MOST_OF_SOURCE = 0.8

export interface NodeWriter {
  readonly model: CompletionModel | undefined
  readonly tokens: TokenCounter
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly signal: AbortSignal | undefined
  readonly streak: number
  readonly must: boolean
  readonly quoted: number
}

export interface NodeText {
  readonly text: string | null
  readonly tokens: number
  readonly writer: Summary['writer']
  readonly record?: number
  readonly failure?: Failure
}

/**
 * Writes the text of one node, always shorter than its source: with the model, else without it, else as a pointer of a
 * few words. It terminates for sources of every size.
 */
export async function writeNode(request: NodeRequest, by: NodeWriter): Promise<NodeText> {
  const cap = Math.floor(request.sourceTokens * MOST_OF_SOURCE)
  let failure: Failure | undefined
  if (by.model !== undefined && request.maxTokens <= cap) {
    try {
      const record = await askModel(request, by, by.model)
      const frame = withRecord(request.frame, record, request.messages)
      const text = render(frame, cap, by)
      const tokens = by.tokens.countText(text)
      if (tokens <= cap) return { text, tokens, writer: 'model', record: by.tokens.countText(record) }
    } catch (error) {
      by.signal?.throwIfAborted()
      failure = judgeFailure(error, by.streak + 1)
      if (failure.keep && !by.must) return { text: null, tokens: 0, writer: 'extractive', failure }
    }
  }
  return { ...withoutModel(request.frame, cap, by), ...(failure && { failure }) }
}

function askModel(
  { depth, texts, sections, frame, maxTokens, before }: NodeRequest,
  { tokens, focusTopic, memoryContext, signal }: NodeWriter,
  model: CompletionModel,
): Promise<string> {
  return summarize({
    model,
    texts,
    of: depth === 0 ? 'conversation' : 'summaries',
    previousSummary: before && redactSecrets(before),
    previousStays: true,
    sections,
    rules: frame.rules,
    maxTokens,
    focusTopic,
    memoryContext,
    tokens,
    signal,
  })
}

function withoutModel(
  frame: SummaryFrame,
  cap: number,
  by: NodeWriter,
): { text: string; tokens: number; writer: Summary['writer'] } {
  const text = render(frame, cap, by)
  const size = by.tokens.countText(text)
  if (text !== '' && size <= cap) return { text, tokens: size, writer: 'extractive' }
  const pointer = '(No room for a summary: read it with lcm_expand.)'
  return { text: pointer, tokens: by.tokens.countText(pointer), writer: 'pointer' }
}

/** Every summary stores the user's words; rendering decides how many are shown. */
function render(frame: SummaryFrame, maxTokens: number, { tokens, quoted }: NodeWriter): string {
  return redactSecrets(renderFrame(frame, { maxTokens, said: quoted, tokens }))
}
