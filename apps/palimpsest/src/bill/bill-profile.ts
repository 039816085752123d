import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import {
  type CacheProfile,
  findProfile,
  PROFILES,
  type ProfileData,
  parseProfiles,
  UnknownModelError,
} from '@palimpsest/prompt-caching'
import { UsageError } from '../usage-error.ts'

/** The model of each provider whose prices a bill has when nobody names one: the one that agents use most there. */
const USUAL_MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.2-sol',
  gemini: 'gemini-3-flash-preview',
  deepseek: 'deepseek-v4.1-flash',
  qwen: 'qwen3.8-max',
}

export interface BillFlags {
  /** A provider, or one with a model as `<provider>:<model>`. */
  readonly provider?: string
  /** A file of prices, in the shape of those in `@palimpsest/prompt-caching`. They go before ours. */
  readonly prices?: string
}

/**
 * Whose prices a bill has: those that the flags name, else those of the model that the recording names, else those of
 * the usual model at Anthropic.
 *
 * @throws UsageError for a provider or a model whose prices are not known, and for a file of prices with a fault.
 */
export async function billProfile(
  { provider, prices }: BillFlags,
  recordedModel: string | undefined,
): Promise<CacheProfile> {
  const own = prices === undefined ? [] : await readPrices(prices)
  const data = [...own, ...PROFILES]
  if (provider !== undefined) return flagProfile(provider, data)
  const recorded = recordedModel === undefined ? undefined : knownProfile(recordedModel, data)
  const [first] = own.flatMap(({ models }) => models)
  return recorded ?? flagProfile(first === undefined ? 'anthropic' : `anthropic:${first.id}`, data)
}

/** The profile of a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
export function knownProfile(model: string, data: ProfileData = PROFILES): CacheProfile | undefined {
  try {
    return findProfile({ model: model.replace(/^[a-z]+:/, ''), data })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}

function flagProfile(flag: string, data: ProfileData): CacheProfile {
  const colon = flag.indexOf(':')
  const provider = (colon === -1 ? flag : flag.slice(0, colon)).toLowerCase()
  const usual = Object.hasOwn(USUAL_MODELS, provider) ? USUAL_MODELS[provider] : undefined
  if (usual === undefined) {
    const known = Object.keys(USUAL_MODELS).join(', ')
    throw new UsageError(`--provider: no prices are known for "${provider}"; known are ${known}`)
  }
  try {
    return findProfile({ model: colon === -1 ? usual : flag.slice(colon + 1), data })
  } catch (error) {
    if (!UnknownModelError.isInstance(error)) throw error
    throw new UsageError(`--provider: ${error.message}`, { cause: error })
  }
}

async function readPrices(file: string): Promise<ProfileData> {
  try {
    return parseProfiles(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : errorText(error)
    throw new UsageError(`--prices: ${file} cannot be used: ${why}`, { cause: error })
  }
}
