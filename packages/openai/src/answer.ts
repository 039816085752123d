import { isObject, type Loose, looseOf, normalizeUsage, type Usage } from '@palimpsest/core'
import { addCallPiece, type StreamedCall, textOf } from '@palimpsest/provider-utils'
import { addReasoning } from './add-reasoning.ts'
import { type ApiFailure, toFailure } from './api-failure.ts'

/** One answer of the model, whole: what a response says, or all chunks of a stream together. */
export interface Answer {
  content: string
  refusal: string
  /** Reasoning, in the field in which it came; what servers demand back with a tool call. */
  reasoning: Loose
  readonly calls: StreamedCall[]
  finishReason?: string
  responseId?: string
  usage?: Usage
}

/** An answer of which nothing has come yet. */
export function emptyAnswer(): Answer {
  return { content: '', refusal: '', reasoning: {}, calls: [] }
}

/**
 * Adds a response, or a chunk of a streamed one, to an answer. Returns the text that is new, that of a refusal
 * included. Counts in a chunk are running totals, so the latest replace those before. Nothing in it is certain:
 * chunks with counts have no choices, some servers leave out what is empty.
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

/** The failure that a body tells which the server sent with the status of a success. */
export function failureIn(response: Loose): ApiFailure | undefined {
  const error = response.error ?? firstChoice(response)?.error
  return error === undefined || error === null ? undefined : toFailure(error)
}

function firstChoice({ choices }: Loose): Loose | undefined {
  return Array.isArray(choices) ? choices.find(isObject) : undefined
}

/** Content is a text, or a list of parts at Mistral, whose thoughts are parts of their own. */
function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content)
  return content
    .map((part: unknown) => (isObject(part) && part.type === 'text' ? textOf(part.text) : ''))
    .join('')
}

/** The counts of a response as `Usage`. Undefined when the prompt was not counted; servers that count later say 0. */
export function toUsage(counts: unknown): Usage | undefined {
  if (!isObject(counts) || !(Number(counts.prompt_tokens) > 0)) return undefined
  return normalizeUsage(counts)
}
