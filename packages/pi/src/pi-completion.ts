import type { Api, Model } from '@earendil-works/pi-ai'
import type { ExtensionContext } from '@earendil-works/pi-coding-agent'
import { type CompletionModel, contextOverflow, ModelError } from '@palimpsest/core'
import { providerError } from '@palimpsest/provider-utils'

export function createPiCompletion(
  { modelRegistry }: Pick<ExtensionContext, 'modelRegistry'>,
  choose: () => Model<Api> | undefined,
): CompletionModel {
  return {
    get name() {
      const model = choose()
      return model === undefined ? 'pi' : `${model.provider}/${model.id}`
    },
    get contextLength() {
      return choose()?.contextWindow as number
    },
    async complete({ system, prompt, maxOutputTokens, signal }) {
      const model = choose()
      if (model === undefined)
        throw new ModelError('invalid-request', 'pi has no model for summaries; choose one with /model')
      signal?.throwIfAborted()
      const answer = await modelRegistry.complete(
        model,
        {
          ...(system !== undefined && { systemPrompt: system }),
          messages: [{ role: 'user', content: prompt, timestamp: Date.now() }],
        },
        {
          cacheRetention: 'none',
          ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
          ...(signal !== undefined && { signal }),
        },
      )
      signal?.throwIfAborted()
      const { stopReason, errorMessage: said = stopReason, usage } = answer
      if (stopReason === 'error' || stopReason === 'aborted') throw failure(said)
      const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      if (stopReason === 'length')
        throw new ModelError('truncated', `${model.id} reached its output limit; allow it more`)
      if (text.trim() === '')
        throw new ModelError('empty', `${model.id} answered without any text; try again`)
      const promptTokens = usage.input + usage.cacheRead + usage.cacheWrite
      return {
        text,
        finishReason: 'stop',
        usage: { promptTokens, completionTokens: usage.output, totalTokens: promptTokens + usage.output },
      }
    },
  }
}

function failure(said: string): ModelError {
  const overflow = contextOverflow(new Error(said))
  return providerError({
    kind: overflow === undefined ? 'unknown' : 'context-overflow',
    advice: 'the model of pi that writes summaries failed',
    said,
    contextLength: overflow?.limit,
  })
}
