import type { CompletionModel } from '@palimpsest/core'
import { UsageError } from './usage-error.ts'

/** The model that summarises, or why there is none. */
export interface SummaryModel {
  readonly model?: CompletionModel
  /** For the person who reads the report. */
  readonly description: string
  readonly notice?: string
}

/** Who writes summaries where no model does, for people. */
export const OFFLINE_SUMMARIES = 'offline: extracted from the transcript, without a model'

/**
 * The model that `--model provider:name` names, reached at `baseUrl` instead of the provider's own address if given. Without a name or without a key there is none, and the
 * description says that summaries are made offline.
 */
export async function findSummaryModel(
  name: string | undefined,
  baseUrl: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<SummaryModel> {
  if (name === undefined) return { description: OFFLINE_SUMMARIES }
  const [provider, model] = splitOnce(name, ':')
  if (provider !== 'gemini' || model === '') {
    throw new UsageError(
      `--model must be gemini:<name>, such as gemini:gemini-3-flash-preview; got "${name}"`,
    )
  }
  const apiKey = environment.GEMINI_API_KEY
  if (!apiKey) {
    return {
      description: OFFLINE_SUMMARIES,
      notice: 'GEMINI_API_KEY is not set: summaries are made offline, without a model.',
    }
  }
  await import('@google/genai').catch(missing)
  const { createGeminiCompletion } = await import('@palimpsest/gemini')
  return {
    model: createGeminiCompletion({ model, apiKey, ...(baseUrl !== undefined && { baseUrl }) }),
    description: name,
  }
}

/** The provider's SDK is large and has an install script: only who uses it installs it. */
function missing(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
  throw new UsageError('--model gemini:… needs one more package: npm install @google/genai', { cause })
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
