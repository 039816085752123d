import { ModelError } from '../errors/model-error.ts'
import type { CompletionModel } from '../spec/completion-model.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import { askForRecord } from './ask-for-record.ts'
import { chunkMessages, type IsFailed } from './chunk-messages.ts'
import { trimSummary } from './trim-summary.ts'

export interface SummarizeInput {
  readonly model: CompletionModel
  /** What the summary stands for, redacted. */
  readonly messages: readonly Message[]
  readonly previousSummary: string | undefined
  /** Length to aim at, in tokens. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
  readonly system: string
  /** The prompt for a part of the conversation, serialised and escaped, and the record of what came before it. */
  readonly prompt: (conversation: string, previousSummary: string | undefined) => string
  readonly isFailed: IsFailed
}

/** A chunk smaller than this is not worth a call: the summariser's window is too small for the job. */
const LEAST_CHUNK_TOKENS = 256
/** Times that a summariser whose window is unknown, or smaller than it says, gets smaller chunks. */
const MAX_SHRINKS = 3
/** A summary may be this much longer than asked before it is cut. */
const LENGTH_SLACK = 1.25

/**
 * A summary by a model. The model's window is respected: what does not fit at once goes in chunks, each of
 * which brings the record so far up to date. No output limit is sent, because a summary that is cut off is a
 * failure. Rejects with a `ModelError`, or with the signal's reason.
 */
export async function summarizeMessages(input: SummarizeInput): Promise<string> {
  let window = input.model.contextLength ?? Number.POSITIVE_INFINITY
  for (let attempt = 0; ; attempt++) {
    try {
      return await summarizeInChunks(input, window)
    } catch (error) {
      if (!ModelError.isInstance(error) || error.kind !== 'context-overflow' || attempt === MAX_SHRINKS)
        throw error
      const known = Number.isFinite(window) ? window : promptTokens(input)
      window = Math.min(error.contextLength ?? known, Math.floor(known / 2))
    }
  }
}

async function summarizeInChunks(input: SummarizeInput, window: number): Promise<string> {
  const { model, messages, tokens, signal, system } = input
  let summary = input.previousSummary
  for (const conversation of chunkMessages(messages, chunkTokens(input, window), tokens, input.isFailed)) {
    signal?.throwIfAborted()
    const answer = await askForRecord({ model, system, prompt: input.prompt(conversation, summary), signal })
    summary = trimSummary(answer, Math.floor(input.maxTokens * LENGTH_SLACK), tokens)
  }
  return summary ?? ''
}

/** What a chunk may take of the window: all but the frame of the prompt, the record so far and the answer. */
function chunkTokens(input: SummarizeInput, window: number): number {
  if (!Number.isFinite(window)) return window
  const frame = input.system + input.prompt('', input.previousSummary)
  const answer = Math.floor(input.maxTokens * LENGTH_SLACK)
  // The record so far may grow to the length of an answer.
  const room = window - input.tokens.countText(frame) - 2 * answer
  if (room >= LEAST_CHUNK_TOKENS) return room
  throw new ModelError(
    'invalid-request',
    `the summariser's window of ${window} tokens leaves no room for a conversation`,
  )
}

function promptTokens({ messages, tokens }: SummarizeInput): number {
  return messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)
}
