import type { CompletionModel } from '@palimpsest/core'
import { type SummarizedOrKept, summarizeOrKeep } from '@palimpsest/core/summarizer'
import { summarizeExtractively } from '@palimpsest/extractive'
import { type ModelSummaryInput, summarizeWithModel } from './summarize-with-model.ts'

export interface WriteSummaryInput extends Omit<ModelSummaryInput, 'model'> {
  readonly model: CompletionModel | undefined
  /** Failures of the model in a row so far. */
  readonly streak: number
  /** True when keeping everything is no way out: a summary must be made. */
  readonly mustSummarize: boolean
}

export interface WrittenSummary extends Omit<SummarizedOrKept, 'writer'> {
  /** Who wrote it; nobody when the earlier one tells everything. */
  readonly writer: SummarizedOrKept['writer'] | 'nobody'
}

/** A summary by the model if there is one, else without a model; see `summarizeOrKeep` for what a failure means. */
export function writeSummary(input: WriteSummaryInput): Promise<WrittenSummary> {
  return summarizeOrKeep({
    ...input,
    byModel: (model) => summarizeWithModel({ ...input, model }),
    withoutModel: () => extractive(input),
  })
}

function extractive(input: WriteSummaryInput): string {
  const { messages, previousSummary, focusTopic, maxTokens, tokens } = input
  return summarizeExtractively({
    messages,
    maxTokens,
    tokens,
    // They are listed behind the summary, whoever wrote it.
    identifiers: [],
    continues: true,
    ...(previousSummary !== undefined && { previousSummary }),
    ...(focusTopic !== undefined && { focusTopic }),
  })
}
