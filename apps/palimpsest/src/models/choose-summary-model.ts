import { UsageError } from '../usage-error.ts'
import { accessTo, type ModelAccess, missingKey, splitProvider } from './model-access.ts'
import { isProvider, PROVIDER_NAMES, PROVIDERS, type ProviderName } from './providers.ts'
import { type SummaryBlock, summaryKey } from './summary-key.ts'

export interface SummaryChoice {
  readonly access?: ModelAccess
  readonly isMain: boolean
  readonly notices: readonly string[]
}

export interface SummaryChoiceInput {
  readonly block: SummaryBlock
  readonly main: ModelAccess | undefined
  readonly noMain?: string
  readonly environment: NodeJS.ProcessEnv
  readonly name?: string
}

export const SUMMARY_BLOCK = 'auxiliary.compression'
export const EXTRACTION_BLOCK = 'auxiliary.extraction'

export function chooseSummaryModel(input: SummaryChoiceInput): SummaryChoice {
  const { name = SUMMARY_BLOCK, block } = input
  const { extra_body: extra = {} } = block
  assertConsistent(block, name)
  const choice = choose({ ...input, name })
  if (Object.keys(extra).length === 0) return choice
  return { ...choice, notices: [...choice.notices, `${name}.extra_body is read, and never sent`] }
}

function assertConsistent(
  { provider = 'auto', base_url: baseUrl, api_key, key_env }: SummaryBlock,
  name: string,
): void {
  const fault = (text: string) => new UsageError(`${name}: ${text}`)
  if (baseUrl === undefined && provider === 'custom')
    throw fault('provider custom needs base_url, an OpenAI-compatible address with its version')
  if (baseUrl !== undefined && provider === 'main')
    throw fault('the model that answers has an address already; with base_url write provider: custom')
  const hasKey = (api_key ?? key_env) !== undefined
  if (hasKey && (provider === 'main' || (provider === 'auto' && baseUrl === undefined)))
    throw fault('whose key is it? Name the provider beside it, such as provider: openrouter')
}

function choose({
  block,
  main,
  noMain = 'no model answers here',
  environment,
  name,
}: SummaryChoiceInput & { readonly name: string }): SummaryChoice {
  const { provider = 'auto', model, base_url: baseUrl } = block
  if (isProvider(provider)) return atProvider(provider, block, environment, name)
  if (baseUrl !== undefined) return atAddress({ ...block, base_url: baseUrl }, environment, name)
  const named = splitProvider(model ?? '')
  if (named.provider !== undefined)
    return atProvider(named.provider, { ...block, model: named.model }, environment, name)
  if (main !== undefined) return byMain(main, block)
  if (block.provider === undefined && model === undefined) return { isMain: false, notices: [] }
  if (provider === 'main') return offline(`${name}.provider is main, and ${noMain}`, name)
  const found = PROVIDER_NAMES.find((known) => environment[PROVIDERS[known].key])
  if (found !== undefined) return atProvider(found, block, environment, name)
  const variables = PROVIDER_NAMES.map((known) => PROVIDERS[known].key)
  return offline(`none of ${variables.join(', ')} is set`, name)
}

function byMain({ contextLength: known, ...main }: ModelAccess, block: SummaryBlock): SummaryChoice {
  const { model = main.model } = block
  const isMain = model === main.model
  const window = block.context_length ?? (isMain ? known : undefined)
  return { access: { ...main, model, ...windowOf(window) }, isMain, notices: [] }
}

function atProvider(
  provider: ProviderName,
  block: SummaryBlock,
  environment: NodeJS.ProcessEnv,
  name: string,
): SummaryChoice {
  const { summaries } = PROVIDERS[provider]
  const { model = summaries.model, base_url: baseUrl, context_length } = block
  const window = context_length ?? (model === summaries.model ? summaries.contextLength : undefined)
  const place = { ...(baseUrl !== undefined && { baseUrl }), ...windowOf(window) }
  return withKey(accessTo({ provider, model }, place, environment), block, environment, name)
}

function atAddress(
  block: SummaryBlock & { readonly base_url: string },
  environment: NodeJS.ProcessEnv,
  name: string,
): SummaryChoice {
  const { model, base_url: baseUrl, context_length } = block
  if (model === undefined)
    return offline(`${name}.model is not set, and nothing says which models ${baseUrl} has`, name)
  return withKey(
    { provider: 'custom', model, baseUrl, ...windowOf(context_length) },
    block,
    environment,
    name,
  )
}

function withKey(
  access: ModelAccess,
  block: SummaryBlock,
  environment: NodeJS.ProcessEnv,
  name: string,
): SummaryChoice {
  const { apiKey: _, ...bare } = access
  const own = access.provider === 'custom' ? undefined : PROVIDERS[access.provider].key
  const { apiKey, variable, notice } = summaryKey(block, own, environment, name)
  // A variable named in the block is required, even for an address that needs no key.
  const isMissing = variable !== own || missingKey(bare) !== undefined
  if (apiKey === undefined && isMissing) return offline(`${variable} is not set`, name)
  const complete = { ...bare, ...(apiKey !== undefined && { apiKey }) }
  return { access: complete, isMain: false, notices: notice === undefined ? [] : [notice] }
}

function windowOf(contextLength: number | undefined) {
  return contextLength === undefined ? {} : { contextLength }
}

function offline(why: string, name: string): SummaryChoice {
  const without =
    name === SUMMARY_BLOCK
      ? 'summaries are made offline, without a model'
      : 'no model of its own reads decisions'
  return { isMain: false, notices: [`${why}: ${without}`] }
}
