import { UsageError } from '../usage-error.ts'
import {
  accessTo,
  type ModelAccess,
  type ModelPlace,
  missingKey,
  readModelName,
  splitProvider,
} from './model-access.ts'
import { PROVIDER_NAMES } from './providers.ts'

interface AnsweringModelInput extends ModelPlace {
  readonly model: string | undefined
  readonly option: '--model' | 'serve.answer_model'
}

const GEMINI_MODEL = 'gemini-3-flash-preview'

export function findAnsweringModel(
  { model: name, option, ...place }: AnsweringModelInput,
  environment: NodeJS.ProcessEnv,
): ModelAccess | undefined {
  const { GEMINI_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = environment
  if (name !== undefined) {
    const access = accessTo(readModelName(name, place, option), place, environment)
    const key = missingKey(access)
    if (key === undefined) return access
    throw new UsageError(`${option} ${name} needs a key: set ${key}${otherProviders(name, access)}`)
  }
  if (place.baseUrl === undefined && GEMINI_API_KEY)
    return accessTo({ provider: 'gemini', model: GEMINI_MODEL }, place, environment)
  const address = place.baseUrl ?? (OPENAI_BASE_URL || undefined)
  if (address === undefined && !OPENAI_API_KEY) return undefined
  if (!OPENAI_MODEL)
    throw new UsageError(
      `which model at ${address ?? 'OpenAI'}? Name it with ${option === '--model' ? '--model <name>' : option} or OPENAI_MODEL`,
    )
  return accessTo({ provider: 'openai', model: OPENAI_MODEL }, place, environment)
}

/** A bare name is taken for one of a provider that may not be meant. */
function otherProviders(name: string, { provider }: ModelAccess): string {
  if (splitProvider(name).provider !== undefined) return ''
  const others = PROVIDER_NAMES.filter((one) => one !== provider).map((one) => `${one}:<name>`)
  return ` (a name without a provider is taken for one of ${provider}; for another write ${others.join(', ')}, or give the address of a server)`
}
