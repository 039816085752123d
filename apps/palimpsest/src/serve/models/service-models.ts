import type { ChatModel, CompletionModel } from '@palimpsest/core'
import { UsageError } from '../../usage-error.ts'
import type { ServeOptions } from '../serve-options.ts'

/** The models of a service; none of them without a key. */
export interface ServiceModels {
  readonly answer?: ChatModel
  readonly extraction?: CompletionModel
  readonly dedup?: CompletionModel
  readonly compaction?: CompletionModel
}

/**
 * Gemini with a key, nothing without one.
 *
 * @throws UsageError when there is a key, and the provider's package is missing.
 */
export async function serviceModels(
  { answerModel, extractionModel, dedupModel, compactionModel, baseUrl }: ServeOptions,
  apiKey: string | undefined,
): Promise<ServiceModels> {
  if (!apiKey) return {}
  await import('@google/genai').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new UsageError('GEMINI_API_KEY is set, which needs one more package: npm install @google/genai', {
      cause,
    })
  })
  const { createGeminiChat, createGeminiCompletion } = await import('@palimpsest/gemini')
  const at = { apiKey, ...(baseUrl !== undefined && { baseUrl }) }
  return {
    answer: createGeminiChat({ model: answerModel, ...at }),
    extraction: createGeminiCompletion({ model: extractionModel, ...at }),
    dedup: createGeminiCompletion({ model: dedupModel, ...at }),
    compaction: createGeminiCompletion({ model: compactionModel, ...at }),
  }
}
