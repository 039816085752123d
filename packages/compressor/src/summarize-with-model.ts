import {
  type CompletionModel,
  type Message,
  ModelError,
  redactSecrets,
  type TokenCounter,
} from '@palimpsest/core'
import { askForRecord, boundMemory, trimSummary } from '@palimpsest/core/summarizer'
import { chunkMessages } from './chunk-messages.ts'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './summary-prompt.ts'

export interface ModelSummaryInput {
  readonly model: CompletionModel
  /** What the summary stands for, redacted. */
  readonly messages: readonly Message[]
  readonly previousSummary: string | undefined
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly maxTokens: number
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
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
export async function summarizeWithModel(input: ModelSummaryInput): Promise<string> {
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

async function summarizeInChunks(input: ModelSummaryInput, window: number): Promise<string> {
  const { model, messages, tokens, signal } = input
  let summary = input.previousSummary
  for (const conversation of chunkMessages(messages, chunkTokens(input, window), tokens)) {
    signal?.throwIfAborted()
    const prompt = summaryPrompt(promptInput(input, conversation, summary))
    const answer = await askForRecord({ model, system: SUMMARY_SYSTEM_PROMPT, prompt, signal })
    summary = trimSummary(answer, Math.floor(input.maxTokens * LENGTH_SLACK), tokens)
  }
  return summary ?? ''
}

function promptInput(input: ModelSummaryInput, conversation: string, previousSummary: string | undefined) {
  const { focusTopic, memoryContext, maxTokens } = input
  return {
    conversation,
    maxTokens,
    ...(previousSummary !== undefined && previousSummary !== '' && { previousSummary }),
    ...(focusTopic !== undefined && { focusTopic: redactSecrets(focusTopic) }),
    ...(memoryContext !== undefined && { memoryContext: boundMemory(redactSecrets(memoryContext)) }),
  }
}

/** What a chunk may take of the window: all but the frame of the prompt, the record so far and the answer. */
function chunkTokens(input: ModelSummaryInput, window: number): number {
  if (!Number.isFinite(window)) return window
  const frame = SUMMARY_SYSTEM_PROMPT + summaryPrompt(promptInput(input, '', input.previousSummary))
  const answer = Math.floor(input.maxTokens * LENGTH_SLACK)
  // The record so far may grow to the length of an answer.
  const room = window - input.tokens.countText(frame) - 2 * answer
  if (room >= LEAST_CHUNK_TOKENS) return room
  throw new ModelError(
    'invalid-request',
    `the summariser's window of ${window} tokens leaves no room for a conversation`,
  )
}

function promptTokens({ messages, tokens }: ModelSummaryInput): number {
  return messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)
}
