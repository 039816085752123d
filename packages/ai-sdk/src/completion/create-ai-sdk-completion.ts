import { type CompletionModel, InvalidOptionError, normalizeUsage } from '@palimpsest/core'
import { LONGEST_TIMEOUT_MS, withDeadline } from '@palimpsest/provider-utils'
import { generateText, type LanguageModel } from 'ai'
import { toModelError } from '../errors/to-model-error.ts'
import { toFinishReason, unusableAnswer } from './finish.ts'
import { AI_SDK_DEFAULTS, type AiSdkCompletionOptions } from './options.ts'

/**
 * Any language model of the AI SDK as a model that answers one prompt with one text, for summaries and extraction. An
 * answer that did not come to its end is never returned: it rejects with `MODEL_TRUNCATED` at the output limit and
 * `MODEL_BLOCKED` when a filter stopped it. Thoughts are no part of the text. Throws `InvalidOptionError`.
 */
export function createAiSdkCompletion(
  model: LanguageModel,
  options: AiSdkCompletionOptions = {},
): CompletionModel {
  const { contextLength, providerOptions } = options
  const { maxRetries = AI_SDK_DEFAULTS.maxRetries, timeoutMs = AI_SDK_DEFAULTS.timeoutMs } = options
  assertNumber('contextLength', contextLength, 1)
  assertNumber('maxRetries', maxRetries, 0)
  assertNumber('timeoutMs', timeoutMs, 1, LONGEST_TIMEOUT_MS)
  return {
    name: typeof model === 'string' ? model : `${model.provider}:${model.modelId}`,
    ...(contextLength !== undefined && { contextLength }),
    async complete({ system, prompt, maxOutputTokens, signal }) {
      // A model that ignores its signal must not hold the caller.
      const answer = await withDeadline({ signal, timeoutMs }, (abortSignal) =>
        generateText({
          model,
          prompt,
          maxRetries,
          abortSignal,
          ...(system !== undefined && system !== '' && { instructions: system }),
          ...(maxOutputTokens !== undefined && { maxOutputTokens }),
          ...(providerOptions !== undefined && { providerOptions }),
        }).catch((error: unknown) => {
          throw toModelError(error)
        }),
      )
      const problem = unusableAnswer(answer)
      if (problem !== undefined) throw problem
      const { text, usage } = answer
      const isCounted = usage.inputTokens !== undefined
      return {
        text,
        finishReason: toFinishReason(answer.finishReason),
        ...(isCounted && { usage: normalizeUsage(usage) }),
      }
    },
  }
}

function assertNumber(path: string, value: number | undefined, least: number, most = Infinity): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return
  const bound = most === Infinity ? `${least} on` : `${least} to ${most}`
  throw new InvalidOptionError(path, `${path} must be a whole number from ${bound} and is ${String(value)}`)
}
