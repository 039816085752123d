import type { CompletionModel, Message, Warning } from '@palimpsest/core'
import { type Failure, judgeFailure } from '@palimpsest/core/summarizer'
import { messageIdentifiers, summarizeExtractively } from '@palimpsest/extractive'
import { type ModelSummaryInput, summarizeWithModel } from './summarize-with-model.ts'

export interface WriteSummaryInput extends Omit<ModelSummaryInput, 'model'> {
  readonly model: CompletionModel | undefined
  /** What stays beside the summary: its identifiers need not be repeated. */
  readonly visible: readonly Message[]
  /** Failures of the model in a row so far. */
  readonly streak: number
  /** True when keeping everything is no way out: a summary must be made. */
  readonly mustSummarize: boolean
}

export interface WrittenSummary {
  /** Null when everything has to be kept. */
  readonly text: string | null
  /** Who wrote it; nobody when the earlier one tells everything. */
  readonly writer: 'model' | 'extractive' | 'nobody'
  readonly failure?: Failure
  readonly warnings: readonly Warning[]
}

/**
 * A summary by the model if there is one, else without a model. When the model fails and there is room left,
 * nothing is summarised; when there is none, the summary is made without it, and a warning says so.
 */
export async function writeSummary(input: WriteSummaryInput): Promise<WrittenSummary> {
  const { model, signal } = input
  if (model === undefined) return { text: extractive(input), writer: 'extractive', warnings: [] }
  try {
    return { text: await summarizeWithModel({ ...input, model }), writer: 'model', warnings: [] }
  } catch (error) {
    signal?.throwIfAborted()
    const failure = judgeFailure(error, input.streak + 1)
    const keep = failure.keep && !input.mustSummarize
    const consequence = keep ? 'nothing was compacted' : 'a summary without a model was used instead'
    const warning = {
      code: 'summariser-failed',
      message: `the summariser ${model.name} failed (${failure.kind}: ${failure.message}); ${consequence}`,
    }
    return { text: keep ? null : extractive(input), writer: 'extractive', failure, warnings: [warning] }
  }
}

function extractive(input: WriteSummaryInput): string {
  const { messages, visible, previousSummary, focusTopic, maxTokens, tokens } = input
  return summarizeExtractively({
    messages,
    keep: new Set(visible.flatMap((message) => messageIdentifiers(message).map(({ text }) => text))),
    maxTokens,
    tokens,
    ...(previousSummary !== undefined && { previousSummary }),
    ...(focusTopic !== undefined && { focusTopic }),
  })
}
