import { type ChatModel, ModelError } from '@palimpsest/core'

/**
 * The same model, whose refusals of a key say where a person sets it: the model knows it as an option of its own.
 *
 * @param isSet whether there was a key to send.
 */
export function nameOpenAiKey(model: ChatModel, isSet: boolean): ChatModel {
  const where = isSet
    ? 'the key in OPENAI_API_KEY was sent'
    : 'OPENAI_API_KEY is not set, and no key was sent'
  return {
    ...model,
    async chat(call) {
      try {
        return await model.chat(call)
      } catch (error) {
        if (!ModelError.isInstance(error) || error.kind !== 'auth') throw error
        throw new ModelError('auth', `${where}; ${error.message}`, { cause: error })
      }
    },
  }
}
