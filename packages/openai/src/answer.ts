import { isObject, type Loose, looseOf, normalizeUsage, type Usage } from '@palimpsest/core'
import { addCallPiece, type StreamedCall, textOf } from '@palimpsest/provider-utils'
import { addReasoning } from './add-reasoning.ts'
import { type ApiFailure, toFailure } from './api-failure.ts'

export interface Answer {
  content: string
  refusal: string
  reasoning: Loose
  readonly calls: StreamedCall[]
  finishReason?: string
  responseId?: string
  usage?: Usage
}

export function emptyAnswer(): Answer {
  return { content: '', refusal: '', reasoning: {}, calls: [] }
}

/**
 * Adds a response or a chunk to an answer and returns the new text, including a refusal's. Later counts replace earlier
 * ones, because chunks carry running totals. Chunks with counts have no choices, and some servers leave out empty
 * fields.
 */
export function addToAnswer(answer: Answer, response: Loose): string {
  const choice = firstChoice(response)
  const usage = toUsage(response.usage)
  if (usage !== undefined) answer.usage = usage
  answer.responseId ||= textOf(response.id)
  if (choice === undefined) return ''
  if (textOf(choice.finish_reason) !== '') answer.finishReason = textOf(choice.finish_reason)
  const message = looseOf([choice.delta, choice.message].find(isObject))
  const { tool_calls: calls } = message
  for (const piece of Array.isArray(calls) ? calls.filter(isObject) : []) addCallPiece(answer.calls, piece)
  answer.reasoning = addReasoning(answer.reasoning, message)
  const content = contentText(message.content)
  const refusal = textOf(message.refusal)
  answer.content += content
  answer.refusal += refusal
  return content + refusal
}

export function failureIn(response: Loose): ApiFailure | undefined {
  const error = response.error ?? firstChoice(response)?.error
  return error === undefined || error === null ? undefined : toFailure(error)
}

function firstChoice({ choices }: Loose): Loose | undefined {
  return Array.isArray(choices) ? choices.find(isObject) : undefined
}

/** Mistral sends a list of parts, with thoughts as separate parts. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  return content
    .map((part: unknown) => (isObject(part) && part.type === 'text' ? textOf(part.text) : ''))
    .join('')
}

/** Undefined if the prompt was not counted; servers that count later send 0. */
export function toUsage(counts: unknown): Usage | undefined {
  if (!isObject(counts) || !(Number(counts.prompt_tokens) > 0)) return undefined
  return normalizeUsage(counts)
}
