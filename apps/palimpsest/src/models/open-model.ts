import { type ChatModel, type CompletionModel, ModelError, PalimpsestError } from '@palimpsest/core'
import type { FindCachingInput } from '@palimpsest/prompt-caching'
import { patientFetch } from '@palimpsest/provider-utils'
import { UsageError } from '../usage-error.ts'
import type { ModelAccess } from './model-access.ts'
import { PROVIDERS } from './providers.ts'

interface OpenedModel {
  readonly chat: ChatModel
  readonly completion: CompletionModel
  readonly caching: Pick<FindCachingInput, 'model' | 'provider' | 'baseUrl'>
}

export async function openModel(access: ModelAccess): Promise<OpenedModel> {
  const { provider, model, apiKey, baseUrl } = access
  const { provider: _, ...rest } = access
  const options = { ...rest, fetch: patientFetch }
  const at = baseUrl === undefined ? {} : { baseUrl }
  if (provider === 'gemini') {
    await import('@google/genai').catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
      throw new UsageError('a Gemini model needs one more package: npm install @google/genai', { cause })
    })
    const { createGeminiChat, createGeminiCompletion } = await import('@palimpsest/gemini')
    return usable(() => ({
      chat: createGeminiChat(options),
      completion: createGeminiCompletion(options),
      caching: { model, provider },
    }))
  }
  const name = `${provider}:${model}`
  const key = provider === 'custom' ? undefined : PROVIDERS[provider].key
  if (provider === 'anthropic') {
    const { createAnthropicModels } = await import('./create-anthropic-models.ts')
    const { chat, completion } = await createAnthropicModels(rest)
    return {
      chat: forPeople(chat, key, apiKey !== undefined),
      completion,
      caching: { model, provider, ...at },
    }
  }
  const { createOpenAiChat, createOpenAiCompletion } = await import('@palimpsest/openai')
  return usable(() => ({
    chat: forPeople({ ...createOpenAiChat(options), name }, key, apiKey !== undefined),
    completion: { ...createOpenAiCompletion(options), name },
    caching: { model, provider, ...at },
  }))
}

function usable<T>(create: () => T): T {
  try {
    return create()
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause)) throw cause
    throw new UsageError(inWords(cause.message), { cause })
  }
}

function inWords(message: string): string {
  return message
    .replace('check apiKey', 'check it')
    .replace('pass apiKey', 'set one')
    .replace('baseUrl', 'the base URL')
    .replace('raise maxOutputTokens', 'ask for a shorter one')
    .replace(' or raise timeoutMs', '')
}

/**
 * Rewrites errors to name settings of the command line.
 *
 * @param variable The environment variable; undefined if the key comes from elsewhere.
 * @param isSet True if there was a key to send.
 */
function forPeople(model: ChatModel, variable: string | undefined, isSet: boolean): ChatModel {
  const where = isSet ? `the key in ${variable} was sent` : `${variable} is not set, and no key was sent`
  return {
    ...model,
    async chat(call) {
      try {
        return await model.chat(call)
      } catch (error) {
        if (!ModelError.isInstance(error)) throw error
        const { kind, message } = error
        const said = `${kind === 'auth' && variable !== undefined ? `${where}; ` : ''}${inWords(message)}`
        throw said === message ? error : new ModelError(kind, said, { ...error, cause: error })
      }
    },
  }
}
