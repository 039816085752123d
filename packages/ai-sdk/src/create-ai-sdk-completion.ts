import {
  type CompletionModel,
  type FinishReason,
  InvalidOptionError,
  ModelError,
  normalizeUsage,
} from '@palimpsest/core'
import { LONGEST_TIMEOUT_MS, withDeadline } from '@palimpsest/provider-utils'
import { type FinishReason as AiSdkFinishReason, generateText, type LanguageModel } from 'ai'
import { toModelError } from './to-model-error.ts'

/**
 * Adapts a language model of the AI SDK to answer one prompt with one text, for summaries and extraction. A truncated
 * answer is never returned: it rejects with `MODEL_TRUNCATED` at the output limit and `MODEL_BLOCKED` if a filter
 * stopped it. Thoughts are not part of the text. Throws `InvalidOptionError`.
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

/** Options of `createAiSdkCompletion`. */
export interface AiSdkCompletionOptions {
  /** The model's window in tokens, prompt and answer together. Default: unknown, because the AI SDK does not tell. */
  readonly contextLength?: number
  /** Number of retries after a temporary failure, with growing pauses. Default: `AI_SDK_DEFAULTS.maxRetries`. */
  readonly maxRetries?: number
  /**
   * Time limit of a call in milliseconds, after which it rejects with `MODEL_TIMEOUT`. Default:
   * `AI_SDK_DEFAULTS.timeoutMs`.
   */
  readonly timeoutMs?: number
  /** Options passed to the provider, such as a limit for thinking. Default: none. */
  readonly providerOptions?: NonNullable<Parameters<typeof generateText>[0]['providerOptions']>
}

/** The defaults of this package. */
export const AI_SDK_DEFAULTS = {
  /** Retries of a completion, as in the AI SDK itself. */
  maxRetries: 2,
  /** The time limit in milliseconds, as in the other model packages. */
  timeoutMs: 600_000,
} as const

interface Answer {
  readonly text: string
  readonly finishReason: AiSdkFinishReason
  readonly rawFinishReason: string | undefined
}

function toFinishReason(reason: AiSdkFinishReason): FinishReason {
  return reason === 'error' || reason === 'interrupted' ? 'other' : reason
}

function unusableAnswer({ text, finishReason, rawFinishReason }: Answer): ModelError | undefined {
  const detail = rawFinishReason ?? finishReason
  if (finishReason === 'length')
    return new ModelError(
      'truncated',
      'the model reached the output limit before the answer was complete; raise maxOutputTokens or let it think less',
    )
  if (finishReason === 'content-filter')
    return new ModelError(
      'blocked',
      `the model stopped for reasons of content (${detail}); change what is sent`,
    )
  if (finishReason === 'error' || finishReason === 'interrupted')
    return new ModelError('unknown', `the model stopped before the end of its answer (${detail}); try again`)
  if (text.trim() !== '') return undefined
  return new ModelError('empty', `the model answered without any text (${detail}); try again`)
}
