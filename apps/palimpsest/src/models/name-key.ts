import { type ChatModel, ModelError } from '@palimpsest/core'

/**
 * The same model, whose refusals of a key say where a person sets it: the model knows it as an option of its own.
 *
 * @param variable in the environment; undefined when the key comes from elsewhere.
 * @param isSet whether there was a key to send.
 */
export function nameKey(model: ChatModel, variable: string | undefined, isSet: boolean): ChatModel {
  if (variable === undefined) return model
  const where = isSet ? `the key in ${variable} was sent` : `${variable} is not set, and no key was sent`
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
