import { UsageError } from '../usage-error.ts'
import { accessTo, type ModelAccess, type ModelPlace, missingKey, readModelName } from './model-access.ts'

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
    throw new UsageError(`${option} ${name} needs a key: set ${key}`)
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
