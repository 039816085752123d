import { type FinishReason, ModelError } from '@palimpsest/core'
import type { Answer } from './answer.ts'

/** Reasons of content, in the SDK's `FinishReason`. */
const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** The model broke off because what it wrote cannot be used. */
const malformed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
])

/** Why an answer ended, in the words of the contract. */
export function toFinishReason({ finishReason, parts }: Answer): FinishReason {
  if (finishReason === 'MAX_TOKENS' || finishReason === 'CONTINUATION') return 'length'
  if (finishReason !== undefined && filtered.has(finishReason)) return 'content-filter'
  if (finishReason !== 'STOP') return 'other'
  return parts.some((part) => part.functionCall) ? 'tool-calls' : 'stop'
}

/** The error of an answer that cannot be used at all. Undefined if there is something to use. */
export function unusableAnswer(answer: Answer): ModelError | undefined {
  const { finishReason, blockReason } = answer
  if (finishReason !== undefined && malformed.has(finishReason)) {
    const what = detail(answer)
    return new ModelError(
      'empty',
      `Gemini wrote a tool call or an answer that cannot be read (${what}); try again`,
    )
  }
  if (answer.parts.some(isUsable)) return undefined
  if (blockReason !== undefined)
    return new ModelError(
      'blocked',
      `Gemini refused the prompt (${blockReason}); change or shorten what is sent`,
    )
  const reason = toFinishReason(answer)
  if (reason === 'length' || reason === 'content-filter') return cutOffAnswer(answer)
  return new ModelError('empty', `Gemini gave an empty answer (${detail(answer)}); try again`)
}

/**
 * The error of an answer that was cut off. Undefined if it came to its end, or nothing says that it did not.
 */
export function cutOffAnswer(answer: Answer): ModelError | undefined {
  const reason = toFinishReason(answer)
  if (reason === 'length') return new ModelError('truncated', truncatedMessage(answer))
  if (reason === 'content-filter')
    return new ModelError(
      'blocked',
      `Gemini stopped for reasons of content (${detail(answer)}); change what is sent`,
    )
  if (reason === 'other' && named(answer))
    return new ModelError(
      'unknown',
      `Gemini stopped before the end of its answer (${detail(answer)}); try again`,
    )
  return undefined
}

function named({ finishReason }: Answer): boolean {
  return finishReason !== undefined && finishReason !== 'FINISH_REASON_UNSPECIFIED'
}

function isUsable({
  thought,
  text,
  functionCall,
  thoughtSignature: _,
  ...others
}: Answer['parts'][number]): boolean {
  if (thought === true) return false
  if (functionCall) return true
  return typeof text === 'string' ? text.trim() !== '' : Object.keys(others).length > 0
}

function detail({ finishReason, finishMessage }: Answer): string {
  return [finishReason ?? 'no finish reason', finishMessage].filter(Boolean).join(': ').slice(0, 300)
}

function truncatedMessage({ usage }: Answer): string {
  const spent = usage?.reasoningTokens ? `, ${usage.reasoningTokens} of its tokens went into thinking` : ''
  return `Gemini reached the output limit before the answer was complete${spent}; raise maxOutputTokens or lower thinking`
}
