import { type FinishReason, ModelError } from '@palimpsest/core'
import type { FinishReason as AiSdkFinishReason } from 'ai'

interface Answer {
  readonly text: string
  readonly finishReason: AiSdkFinishReason
  readonly rawFinishReason: string | undefined
}

/** Why an answer ended, in the words of the contract. */
export function toFinishReason(reason: AiSdkFinishReason): FinishReason {
  return reason === 'error' || reason === 'interrupted' ? 'other' : reason
}

/** What is wrong with an answer that is no whole text. Undefined for one that is. */
export function unusableAnswer({ text, finishReason, rawFinishReason }: Answer): ModelError | undefined {
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
