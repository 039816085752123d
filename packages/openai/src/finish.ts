import { type FinishReason, ModelError } from '@palimpsest/core'
import { callFields } from '@palimpsest/provider-utils'
import type { Answer } from './answer.ts'

/**
 * The server aborted: OpenRouter; vLLM and SGLang; DeepSeek (https://api-docs.deepseek.com/api/create-chat-completion).
 */
const interruptions = new Set(['error', 'abort', 'insufficient_system_resource'])

/** Some servers send `stop`, or nothing, for an answer with calls. */
export function toFinishReason({ finishReason, calls }: Answer): FinishReason {
  if (finishReason === 'length') return 'length'
  if (finishReason === 'content_filter') return 'content-filter'
  if (isInterrupted(finishReason)) return 'other'
  if (calls.length > 0) return 'tool-calls'
  return finishReason === 'stop' ? 'stop' : 'other'
}

export function isCutOff(answer: Answer): boolean {
  const reason = toFinishReason(answer)
  return reason === 'length' || reason === 'content-filter' || isInterrupted(answer.finishReason)
}

export function unusableAnswer(answer: Answer, model: string): ModelError | undefined {
  const { content, refusal, calls } = answer
  if (calls.some(({ call }) => callFields(call).name === ''))
    return new ModelError('empty', `${model} wrote a tool call that cannot be read; try again`)
  if (calls.length > 0 || content.trim() !== '' || refusal.trim() !== '') return undefined
  return (
    cutOffAnswer(answer, model) ??
    new ModelError(
      'empty',
      `${model} gave an empty answer (${(answer.finishReason ?? 'no finish reason').slice(0, 300)}); try again`,
    )
  )
}

export function cutOffAnswer(answer: Answer, model: string): ModelError | undefined {
  const reason = toFinishReason(answer)
  if (reason === 'length') return new ModelError('truncated', truncatedMessage(answer, model))
  if (reason === 'content-filter')
    return new ModelError('blocked', `${model} stopped for reasons of content; change what is sent`)
  if (isInterrupted(answer.finishReason))
    return new ModelError(
      'overloaded',
      `the answer of ${model} was broken off (${answer.finishReason}); try again`,
    )
  return undefined
}

function isInterrupted(finishReason: string | undefined): boolean {
  return finishReason !== undefined && interruptions.has(finishReason)
}

function truncatedMessage({ usage }: Answer, model: string): string {
  const spent = usage?.reasoningTokens ? `, ${usage.reasoningTokens} of its tokens went into thinking` : ''
  return `${model} reached the output limit before the answer was complete${spent}; raise maxOutputTokens`
}
