import { aroundCalls, type CompletionModel, ModelError } from '@palimpsest/core'
import { withDeadline } from '@palimpsest/provider-utils'
import {
  chooseSummaryModel,
  EXTRACTION_BLOCK,
  SUMMARY_BLOCK,
  type SummaryChoice,
  type SummaryChoiceInput,
} from './choose-summary-model.ts'
import type { ModelAccess } from './model-access.ts'
import { openModel } from './open-model.ts'
import { PROVIDERS, type Provider } from './providers.ts'
import type { SummaryBlock } from './summary-key.ts'

export interface SummaryModel {
  readonly model?: CompletionModel
  readonly description: string
  readonly line: string
  readonly notices: readonly string[]
}

export const OFFLINE_SUMMARIES = 'no model writes them; they quote the conversation'

const DEFAULT_TIMEOUT = 120

export async function findSummaryModel(input: SummaryChoiceInput): Promise<SummaryModel> {
  return openSummaryModel(chooseSummaryModel(input), input.block, input.name)
}

export async function findExtractionModel(
  input: Omit<SummaryChoiceInput, 'name' | 'noMain'>,
): Promise<SummaryModel | undefined> {
  const { provider, model, base_url } = input.block
  if (provider === undefined && model === undefined && base_url === undefined) return undefined
  return findSummaryModel({ ...input, name: EXTRACTION_BLOCK })
}

export async function openSummaryModel(
  { access, isMain, notices }: SummaryChoice,
  { timeout = DEFAULT_TIMEOUT }: SummaryBlock,
  block = SUMMARY_BLOCK,
): Promise<SummaryModel> {
  if (access === undefined)
    return { description: OFFLINE_SUMMARIES, line: `Summaries: ${OFFLINE_SUMMARIES}`, notices }
  const { completion, chat } = await openModel({ ...access, timeoutMs: timeout * 1_000 })
  const name = `${completion.name}${placeOf(access)}`
  // The answering model has the session's prompt in its cache.
  const model = isMain ? { ...completion, chat: chat.chat } : completion
  return {
    model: limited(model, timeout, block),
    description: name,
    line: `Summaries: ${name} (${isMain ? 'the model that answers' : block})`,
    notices,
  }
}

/** The address, unless it is the provider's own: a configuration of the current folder may name any. */
function placeOf({ provider, baseUrl }: ModelAccess): string {
  const own = provider === 'custom' ? undefined : (PROVIDERS[provider] as Provider).baseUrl
  return baseUrl === undefined || baseUrl === own ? '' : ` at ${new URL(baseUrl).origin}`
}

function limited(model: CompletionModel, seconds: number, block: string): CompletionModel {
  const limit = `${block}.timeout is ${seconds} s`
  const timeoutError = () => new ModelError('timeout', `no answer came from ${model.name} in time: ${limit}`)
  return aroundCalls(model, (ask, signal) =>
    withDeadline({ signal, timeoutMs: seconds * 1_000, timeoutError }, ask),
  )
}
