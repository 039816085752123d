import type { ChatModel, CompletionModel } from '@palimpsest/core'
import { findAnsweringModel } from '../../models/find-answering-model.ts'
import { findExtractionModel, findSummaryModel } from '../../models/find-summary-model.ts'
import { openModel } from '../../models/open-model.ts'
import type { SummaryBlock } from '../../models/summary-key.ts'
import type { ServeOptions } from '../serve-options.ts'

export interface ServiceModels {
  readonly answer?: ChatModel
  readonly extraction?: CompletionModel
  readonly compaction?: CompletionModel
}

interface ServiceModelsInput {
  readonly options: Pick<ServeOptions, 'answer_model' | 'base_url'>
  readonly block: SummaryBlock
  /** `auxiliary.extraction`. */
  readonly extraction?: SummaryBlock
  readonly window: number
  readonly environment: NodeJS.ProcessEnv
}

export async function serviceModels(input: ServiceModelsInput) {
  const { options, block, window, environment } = input
  const { answer_model: answerModel, base_url: baseUrl } = options
  const place = { baseUrl, contextLength: window }
  // A key alone may be a gateway client's.
  const isTold = answerModel ?? baseUrl ?? (environment.GEMINI_API_KEY || environment.OPENAI_MODEL)
  const main = isTold
    ? findAnsweringModel({ option: 'serve.answer_model', model: answerModel, ...place }, environment)
    : undefined
  const summaries = await findSummaryModel({ block, main, environment })
  const modelsOf = (answer?: ChatModel, extraction?: CompletionModel): ServiceModels => ({
    ...(answer && { answer }),
    ...(extraction && { extraction }),
    ...(summaries.model && { compaction: summaries.model }),
  })
  const reading = await findExtractionModel({ block: input.extraction ?? {}, main, environment })
  const notices = [...summaries.notices, ...(reading?.notices ?? [])]
  const namedReader = reading?.model && { model: reading.model, name: reading.description }
  const found = { main, summaries: { ...summaries, notices }, namedReader }
  if (main === undefined) return { ...found, models: modelsOf(undefined, reading?.model), caching: undefined }

  const { chat: answer, completion, caching } = await openModel(main)
  return { ...found, models: modelsOf(answer, reading?.model ?? completion), caching }
}
