import { countMessages } from '../budget/count-messages.ts'
import { ModelError } from '../errors/model-error.ts'
import type { CompletionModel } from '../spec/v1/completion-model.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { askForRecord } from './ask-for-record.ts'
import { chunkMessages, type IsFailed } from './chunk-messages.ts'
import { summarizerRoom } from './summarizer-room.ts'
import { trimSummary } from './trim-summary.ts'

/** The material of one call of a summariser. */
export interface SummaryPart {
  /** Messages, serialised and escaped. */
  readonly conversation: string
  /** The record of what came before them. */
  readonly previousSummary: string | undefined
  /** Length to ask for, in tokens: less than what was wanted where the summariser's window is small. */
  readonly maxTokens: number
}

export interface SummarizeInput {
  readonly model: CompletionModel
  /** The messages to summarise, redacted. */
  readonly messages: readonly Message[]
  readonly previousSummary: string | undefined
  /** Length to aim at, in tokens. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
  readonly system: string
  /** The prompt for a part of the conversation. */
  readonly prompt: (part: SummaryPart) => string
  readonly isFailed: IsFailed
}

/** Times that a summariser whose window is unknown, or smaller than it says, gets smaller chunks. */
const MAX_SHRINKS = 3
/** An earlier record may take this share of the room of the first chunk; a longer one is read in pieces, like the conversation. */
const LONG_RECORD_SHARE = 1 / 4

/**
 * A summary by a model. The model's window is respected: what does not fit at once goes in chunks, each of
 * which brings the record so far up to date. See `summarizerRoom` for how a small window is shared out. No output
 * limit is sent, because a summary that is cut off is a failure. Rejects with a `ModelError`, or with the signal's reason.
 */
export async function summarizeMessages(input: SummarizeInput): Promise<string> {
  let window = input.model.contextLength ?? Number.POSITIVE_INFINITY
  for (let attempt = 0; ; attempt++) {
    try {
      return await summarizeInChunks(input, window)
    } catch (error) {
      if (!ModelError.isInstance(error) || error.kind !== 'context-overflow' || attempt === MAX_SHRINKS)
        throw error
      const known = Number.isFinite(window) ? window : countMessages(input.tokens, input.messages)
      window = Math.min(error.contextLength ?? known, Math.floor(known / 2))
    }
  }
}

async function summarizeInChunks(input: SummarizeInput, window: number): Promise<string> {
  const { model, tokens, signal, system, isFailed } = input
  const frame = input.prompt({ conversation: '', previousSummary: '…', maxTokens: input.maxTokens })
  const frameTokens = tokens.countText(system) + tokens.countText(frame)
  const room = summarizerRoom({ window, frameTokens, maxTokens: input.maxTokens })
  if (room.conversation === 0) {
    throw new ModelError(
      'invalid-request',
      `the summariser's window of ${window} tokens leaves no room for a conversation; it takes one of ${room.leastWindow}`,
    )
  }
  const beyond = Math.max(0, tokens.countText(input.previousSummary ?? '') - room.record)
  const isLong = beyond > room.conversation * LONG_RECORD_SHARE
  let summary = isLong ? undefined : input.previousSummary
  const chunks = await chunkMessages({
    messages: isLong ? [recordMessage(input.previousSummary), ...input.messages] : input.messages,
    maxTokens: room.conversation,
    lessAtFirst: isLong ? 0 : beyond,
    tokens,
    isFailed,
  })
  for (const conversation of chunks) {
    signal?.throwIfAborted()
    const prompt = input.prompt({ conversation, previousSummary: summary, maxTokens: room.answer })
    summary = trimSummary(await askForRecord({ model, system, prompt, signal }), room.record, tokens)
  }
  return summary ?? ''
}

function recordMessage(record: string | undefined): Message {
  return { role: 'system', content: `The record of what came before:\n${record}` }
}
