import type { LanguageModelMiddleware, ModelMessage } from 'ai'
import type { ModelConversation, ModelRequest } from './model-conversation.ts'
import {
  type ModelCall,
  type ModelPrompt,
  promptKey,
  toModelPrompt,
  type WrappedModel,
} from './model-prompt.ts'

interface OverflowInput {
  /** The conversation's last request. Undefined before the first. */
  readonly lastSent: () => readonly ModelMessage[] | undefined
  /** Makes the prompt smaller, or throws why that is not possible. */
  readonly recover: ModelConversation['recover']
}

/**
 * Sends less when a provider refuses a prompt as too long, which it does before it answers. A request that is not the
 * conversation's last one, such as a summary by the same model, has nothing to do with the session: its error goes on.
 */
export function createOverflowMiddleware({ lastSent, recover }: OverflowInput): LanguageModelMiddleware {
  const send = async <Result>(
    { params, model }: { readonly params: ModelCall; readonly model: WrappedModel },
    first: () => PromiseLike<Result>,
    again: (prompt: ModelPrompt) => PromiseLike<Result>,
  ): Promise<Result> => {
    let attempt = first
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        const sent = lastSent()
        const isOurs = sent !== undefined && promptKey(sent) === promptKey(params.prompt)
        const less: ModelRequest | undefined = isOurs
          ? await recover(error, { abortSignal: params.abortSignal })
          : undefined
        if (less === undefined) throw error
        const prompt = await toModelPrompt(less, model, params.abortSignal)
        attempt = () => again(prompt)
      }
    }
  }
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ doGenerate, params, model }) =>
      send({ params, model }, doGenerate, (prompt) => model.doGenerate({ ...params, prompt })),
    wrapStream: ({ doStream, params, model }) =>
      send({ params, model }, doStream, (prompt) => model.doStream({ ...params, prompt })),
  }
}
