import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai'
import { type FinishReason, isObject, ModelError, normalizeUsage, type Usage } from '@palimpsest/core'

export interface Answer {
  readonly parts: Part[]
  finishReason?: string
  finishMessage?: string
  blockReason?: string
  responseId?: string
  usage?: Usage
}

/**
 * Adds a response or a chunk to an answer and returns the new text. Later counts replace earlier ones, because chunks
 * carry running totals.
 */
export function addToAnswer(answer: Answer, response: GenerateContentResponse): string {
  const candidate = response.candidates?.[0]
  const blockReason = response.promptFeedback?.blockReason
  const usage = toUsage(response.usageMetadata)
  if (response.responseId) answer.responseId ??= response.responseId
  if (blockReason) answer.blockReason = blockReason
  if (candidate?.finishReason) answer.finishReason = candidate.finishReason
  if (candidate?.finishMessage) answer.finishMessage = candidate.finishMessage
  if (usage !== undefined) answer.usage = usage
  const parts: unknown = candidate?.content?.parts
  let text = ''
  for (const part of Array.isArray(parts) ? parts.filter(isObject) : []) {
    addPart(answer.parts, part)
    if (part.thought !== true && typeof part.text === 'string') text += part.text
  }
  return text
}

/**
 * Streams cut text anywhere, so adjacent pieces are joined. A signed part stays separate: Google requires that it is
 * never merged.
 */
function addPart(parts: Part[], part: Part): void {
  const last = parts.at(-1)
  if (last !== undefined && isPlainText(last) && isPlainText(part) && isThought(last) === isThought(part))
    last.text = `${last.text}${part.text}`
  else parts.push({ ...part })
}

function isPlainText(part: Part): boolean {
  const { text, thought: _, ...others } = part
  return typeof text === 'string' && Object.keys(others).length === 0
}

function isThought(part: Part): boolean {
  return part.thought === true
}

/**
 * The prompt includes cached tokens and the input of Google's own tools; the completion includes thoughts. Undefined if
 * the prompt was not counted.
 */
export function toUsage(metadata: GenerateContentResponseUsageMetadata | undefined): Usage | undefined {
  const prompt = count(metadata?.promptTokenCount)
  if (metadata === undefined || prompt === undefined) return undefined
  const promptTokenCount = prompt + (count(metadata.toolUsePromptTokenCount) ?? 0)
  return normalizeUsage({ ...metadata, promptTokenCount, totalTokenCount: undefined })
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

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

const malformed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
])

export function toFinishReason({ finishReason, parts }: Answer): FinishReason {
  if (finishReason === 'MAX_TOKENS' || finishReason === 'CONTINUATION') return 'length'
  if (finishReason !== undefined && filtered.has(finishReason)) return 'content-filter'
  if (finishReason !== 'STOP') return 'other'
  return parts.some((part) => part.functionCall) ? 'tool-calls' : 'stop'
}

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
