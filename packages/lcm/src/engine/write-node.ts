import { type CompletionModel, ModelError, redactSecrets, type TokenCounter } from '@palimpsest/core'
import {
  askForRecord,
  boundMemory,
  type Failure,
  judgeFailure,
  trimSummary,
} from '@palimpsest/core/summarizer'
import type { SummaryWriter } from '../store/summary-node.ts'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './prompts.ts'

/** A call of the model is given up after this long, in milliseconds: a record takes seconds, a slow local model a minute. */
export const MODEL_TIMEOUT_MS = 120_000
/** An answer may be this much longer than asked before it is asked for again, or cut. */
const LENGTH_SLACK = 1.25
/** A summary takes at most this share of what it stands for. */
const MOST_OF_SOURCE = 0.8
/** Of a summary's length, what identifiers that its text dropped may take: less where a model chose what to tell. */
const APPENDIX_SHARE = { model: 0.25, extractive: 0.6 }
/** Tokens of sentences that come before a longer list of identifiers. */
const LEAST_PROSE = 120

export interface NodeRequest {
  readonly depth: number
  /** What the model reads, redacted. */
  readonly material: () => string
  /** Writes without a model, in at most so many tokens. */
  readonly extract: (maxTokens: number) => string
  /** Identifiers that a text dropped, in at most so many tokens. */
  readonly appendix: (covered: string, maxTokens: number) => string
  /** Tokens of what the node stands for. */
  readonly sourceTokens: number
  /** Length to aim at, in tokens. */
  readonly target: number
  readonly before?: string | undefined
}

export interface NodeWriter {
  readonly model: CompletionModel | undefined
  readonly tokens: TokenCounter
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly signal: AbortSignal | undefined
  /** Failures of the model in a row so far. */
  readonly streak: number
  /** True when keeping everything is no way out: a summary must be made. */
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
      const text = finish(await askModel(request, by, by.model, cap), 'model', request, by.tokens, cap)
      const tokens = by.tokens.countText(text)
      if (text !== '' && tokens <= cap) return { text, tokens, writer: 'model' }
    } catch (error) {
      by.signal?.throwIfAborted()
      failure = judgeFailure(error, by.streak + 1)
      if (failure.keep && !by.must) return { text: null, tokens: 0, writer: 'model', failure }
    }
  }
  return { ...withoutModel(request, by.tokens, cap), ...(failure && { failure }) }
}

async function askModel(
  request: NodeRequest,
  { tokens, focusTopic, memoryContext, signal }: NodeWriter,
  model: CompletionModel,
  cap: number,
): Promise<string> {
  const room = Math.max(1, Math.floor(request.target * (1 - APPENDIX_SHARE.model)))
  const limit = Math.floor(cap * (1 - APPENDIX_SHARE.model))
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

/** What an extract may take of a length that its identifiers share: all but the appendix's part, and enough to say something. */
function proseRoom(cap: number): number {
  const least = Math.min(cap * (1 - APPENDIX_SHARE.model), LEAST_PROSE)
  return Math.floor(Math.max(cap * (1 - APPENDIX_SHARE.extractive), least))
}

function withoutModel(
  request: NodeRequest,
  tokens: TokenCounter,
  cap: number,
): { text: string; tokens: number; writer: SummaryWriter } {
  const prose = request.extract(proseRoom(cap))
  const text = prose === '' ? '' : finish(prose, 'extractive', request, tokens, cap)
  const size = tokens.countText(text)
  if (text !== '' && size <= cap) return { text, tokens: size, writer: 'extractive' }
  const pointer = '(No room for a summary: read it with lcm_expand.)'
  return { text: pointer, tokens: tokens.countText(pointer), writer: 'pointer' }
}

/** The text with the identifiers that it dropped behind it. Redacted: what a model writes may hold a secret. */
function finish(
  prose: string,
  writer: keyof typeof APPENDIX_SHARE,
  request: NodeRequest,
  tokens: TokenCounter,
  cap: number,
): string {
  const demoted = prose.replace(/^## (?=Identifiers$)/gm, '### ').trim()
  const room = Math.min(Math.floor(cap * APPENDIX_SHARE[writer]), cap - tokens.countText(demoted))
  const appendix = room > 0 ? request.appendix(demoted, room) : ''
  return redactSecrets([demoted, appendix].filter((part) => part !== '').join('\n\n'))
}
