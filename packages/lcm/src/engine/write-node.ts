import { type CompletionModel, ModelError, redactSecrets, type TokenCounter } from '@palimpsest/core'
import {
  askForRecord,
  boundMemory,
  type Failure,
  judgeFailure,
  LENGTH_SLACK,
  trimSummary,
} from '@palimpsest/core/summarizer'
import type { FrameInput } from '@palimpsest/extractive'
import type { SummaryWriter } from '../store/summary-node.ts'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './prompts.ts'
import { excerptsWithin } from './render-summaries.ts'

/** A call of the model is given up after this long, in milliseconds: a record takes seconds, a slow local model a minute. */
export const MODEL_TIMEOUT_MS = 120_000
/** A summary takes at most this share of what it stands for. */
const MOST_OF_SOURCE = 0.8
/** Of a short block only lines are quoted: what it names stands in them. In tokens. */
const LEAST_EXCERPTS = 150
/** Tokens between the parts of a summary, at most. */
const JOINTS_TOKENS = 4

export interface NodeRequest {
  readonly depth: number
  /** The text for the model, redacted. */
  readonly material: () => string
  /** A whole summary around what a model wrote, or without it, with so much room for what is quoted and listed. */
  readonly frame: (
    prose: string,
    room: Pick<FrameInput, 'excerptTokens' | 'identifierTokens'>,
  ) => Promise<string>
  /** Tokens of what the node stands for. */
  readonly sourceTokens: number
  readonly target: number
  /** Length of what a model writes of it, in tokens. */
  readonly prose: number
  readonly before?: string | undefined
}

export interface NodeWriter {
  readonly model: CompletionModel | undefined
  readonly tokens: TokenCounter
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly signal: AbortSignal | undefined
  readonly streak: number
  readonly must: boolean
}

export interface NodeText {
  /** Null when the model failed and everything is to be kept. */
  readonly text: string | null
  readonly tokens: number
  readonly writer: SummaryWriter
  readonly failure?: Failure
}

/**
 * The text of one node, always shorter than what it stands for: by the model, by the model again with a harder bound,
 * cut to the bound, without a model, and at last a pointer of a few words. So it ends for sources of every size.
 */
export async function writeNode(request: NodeRequest, by: NodeWriter): Promise<NodeText> {
  const cap = Math.floor(Math.min(request.target * LENGTH_SLACK, request.sourceTokens * MOST_OF_SOURCE))
  let failure: Failure | undefined
  if (by.model !== undefined && cap > 0) {
    try {
      const prose = await askModel(request, by, by.model, cap)
      const text = await frame(prose, request, by.tokens, cap)
      const tokens = by.tokens.countText(text)
      if (prose !== '' && tokens <= cap) return { text, tokens, writer: 'model' }
    } catch (error) {
      by.signal?.throwIfAborted()
      failure = judgeFailure(error, by.streak + 1)
      if (failure.keep && !by.must) return { text: null, tokens: 0, writer: 'extractive', failure }
    }
  }
  return { ...(await withoutModel(request, by.tokens, cap)), ...(failure && { failure }) }
}

async function askModel(
  request: NodeRequest,
  { tokens, focusTopic, memoryContext, signal }: NodeWriter,
  model: CompletionModel,
  cap: number,
): Promise<string> {
  const room = Math.max(1, request.prose)
  const limit = Math.min(cap, Math.floor(room * LENGTH_SLACK))
  let text = ''
  for (const shorter of [false, true]) {
    const prompt = summaryPrompt({
      depth: request.depth,
      material: request.material(),
      before: request.before === undefined ? undefined : redactSecrets(request.before),
      focusTopic: focusTopic === undefined ? undefined : redactSecrets(focusTopic),
      memoryContext: memoryContext === undefined ? undefined : boundMemory(redactSecrets(memoryContext)),
      maxTokens: shorter ? Math.ceil(room / 2) : room,
      shorter,
    })
    text = await askInTime(model, prompt, signal)
    if (tokens.countText(text) <= limit) return text
  }
  return trimSummary(text, limit, tokens)
}

/** Rejects with a `ModelError` of the kind `timeout` when no answer comes in time, and with the reason of `signal`. */
async function askInTime(
  model: CompletionModel,
  prompt: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const timeout = AbortSignal.timeout(MODEL_TIMEOUT_MS)
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  try {
    return await askForRecord({ model, system: SUMMARY_SYSTEM_PROMPT, prompt, signal: either })
  } catch (error) {
    if (!timeout.aborted || signal?.aborted) throw error
    throw new ModelError('timeout', `no answer within ${MODEL_TIMEOUT_MS / 1000} seconds`, { cause: error })
  }
}

async function withoutModel(
  request: NodeRequest,
  tokens: TokenCounter,
  cap: number,
): Promise<{ text: string; tokens: number; writer: SummaryWriter }> {
  const text = await frame('', request, tokens, cap)
  const size = tokens.countText(text)
  if (text !== '' && size <= cap) return { text, tokens: size, writer: 'extractive' }
  const pointer = '(No room for a summary: read it with lcm_expand.)'
  return { text: pointer, tokens: tokens.countText(pointer), writer: 'pointer' }
}

/** Redacted: what a model writes may hold a secret. */
async function frame(
  prose: string,
  request: NodeRequest,
  tokens: TokenCounter,
  cap: number,
): Promise<string> {
  const room = Math.max(0, cap - tokens.countText(prose) - JOINTS_TOKENS)
  const excerptTokens = Math.max(excerptsWithin(room, LEAST_EXCERPTS), Math.min(room, LEAST_EXCERPTS))
  return redactSecrets(await request.frame(prose, { excerptTokens, identifierTokens: room - excerptTokens }))
}
