import { type CacheProfile, findProfile, PROFILES, UnknownModelError } from '@palimpsest/prompt-caching'
import { UsageError } from '../usage-error.ts'

/** The model of each provider whose prices a bill has when nobody names one: the one that agents use most there. */
const USUAL_MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.2-sol',
  gemini: 'gemini-3-flash-preview',
  deepseek: 'deepseek-v4.1-flash',
  qwen: 'qwen3.8-max',
}

/**
 * Whose prices a bill has: those that the flag names, else those of the model that the recording names, else those of
 * the usual model at Anthropic.
 *
 * @throws UsageError for a provider or a model whose prices are not known.
 */
export function billProfile(flag: string | undefined, recordedModel: string | undefined): CacheProfile {
  if (flag !== undefined) return flagProfile(flag)
  return (recordedModel !== undefined && knownProfile(recordedModel)) || flagProfile('anthropic')
}

function flagProfile(flag: string): CacheProfile {
  const colon = flag.indexOf(':')
  const provider = (colon === -1 ? flag : flag.slice(0, colon)).toLowerCase()
  const usual = Object.hasOwn(USUAL_MODELS, provider) ? USUAL_MODELS[provider] : undefined
  if (usual === undefined) {
    const known = PROFILES.map((file) => file.provider).join(', ')
    throw new UsageError(`--provider: no prices are known for "${provider}"; known are ${known}`)
  }
  const model = colon === -1 ? usual : flag.slice(colon + 1)
  try {
    return findProfile({ model })
  } catch (error) {
    if (UnknownModelError.isInstance(error))
      throw new UsageError(`--provider: ${error.message}`, { cause: error })
    throw error
  }
}

/** The profile of a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
export function knownProfile(model: string): CacheProfile | undefined {
  try {
    return findProfile({ model: model.replace(/^[a-z]+:/, '') })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}
