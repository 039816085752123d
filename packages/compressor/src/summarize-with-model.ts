import { type CompletionModel, type Message, redactSecrets, type TokenCounter } from '@palimpsest/core'
import { boundMemory, type SummaryPart, summarizeMessages } from '@palimpsest/core/summarizer'
import { resultStatus } from '@palimpsest/extractive'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './summary-prompt.ts'

export interface ModelSummaryInput {
  readonly model: CompletionModel
  /** The messages that the summary stands for, redacted. */
  readonly messages: readonly Message[]
  readonly previousSummary: string | undefined
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  readonly maxTokens: number
  /** Whether quoted lines stand beside the summary. */
  readonly isFramed: boolean
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
}

/** A summary by a model, in the sections of the template. Rejects with a `ModelError`, or with the signal's reason. */
export function summarizeWithModel(input: ModelSummaryInput): Promise<string> {
  const { focusTopic, memoryContext, isFramed } = input
  const prompt = ({ conversation, previousSummary, maxTokens }: SummaryPart): string =>
    summaryPrompt({
      conversation,
      maxTokens,
      isFramed,
      ...(previousSummary !== undefined && previousSummary !== '' && { previousSummary }),
      ...(focusTopic !== undefined && { focusTopic: redactSecrets(focusTopic) }),
      ...(memoryContext !== undefined && { memoryContext: boundMemory(redactSecrets(memoryContext)) }),
    })
  return summarizeMessages({
    ...input,
    system: SUMMARY_SYSTEM_PROMPT,
    prompt,
    isFailed: (result, call) => resultStatus(result, call) === 'failed',
  })
}
