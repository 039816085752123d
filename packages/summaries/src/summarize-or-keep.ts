import type { CompletionModel, Warning } from '@palimpsest/core'
import { type Failure, judgeFailure } from './judge-failure.ts'

export interface SummarizeOrKeepInput {
  readonly model: CompletionModel | undefined
  readonly byModel: (model: CompletionModel) => Promise<string>
  readonly withoutModel: () => string | Promise<string>
  /** Failures of the model in a row so far. */
  readonly streak: number
  /** True when keeping everything is no way out: a summary must be made. */
  readonly mustSummarize: boolean
  readonly signal: AbortSignal | undefined
}

export interface SummarizedOrKept {
  /** Null when everything has to be kept. */
  readonly text: string | null
  readonly writer: 'model' | 'extractive'
  readonly failure?: Failure
  readonly warnings: readonly Warning[]
}

/**
 * A summary by the model if there is one, else without a model. When the model fails and there is room left,
 * nothing is summarised; when there is none, the summary is made without it, and a warning says so.
 */
export async function summarizeOrKeep(input: SummarizeOrKeepInput): Promise<SummarizedOrKept> {
  const { model, byModel, withoutModel, signal } = input
  if (model === undefined) return { text: await withoutModel(), writer: 'extractive', warnings: [] }
  try {
    return { text: await byModel(model), writer: 'model', warnings: [] }
  } catch (error) {
    signal?.throwIfAborted()
    const failure = judgeFailure(error, input.streak + 1)
    const keep = failure.keep && !input.mustSummarize
    const consequence = keep ? 'nothing was compacted' : 'a summary without a model was used instead'
    const warnings = [failureWarning(model.name, failure, consequence)]
    return { text: keep ? null : await withoutModel(), writer: 'extractive', failure, warnings }
  }
}

/** Says which summariser failed, why, and what was done without it. */
export function failureWarning(name: string | undefined, failure: Failure, consequence: string): Warning {
  const summariser = name ? `the summariser ${name}` : 'the summariser'
  const message = `${summariser} failed (${failure.kind}: ${failure.message}); ${consequence}`
  return { code: 'summariser-failed', message }
}
