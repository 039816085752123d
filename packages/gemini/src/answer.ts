import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai'
import { type FinishReason, isObject, ModelError, normalizeUsage, type Usage } from '@palimpsest/core'

/** One answer of the model, whole: what a response says, or all chunks of a stream together. */
export interface Answer {
  readonly parts: Part[]
  finishReason?: string
  finishMessage?: string
  /** Why the prompt was refused. */
  blockReason?: string
  responseId?: string
  usage?: Usage
}

/**
 * Adds a response, or a chunk of one, to an answer. Returns the text that is new. Counts in a chunk are running
 * totals, so the latest replace those before.
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
 * A stream cuts text anywhere, so neighbouring pieces are joined. A signed part stays by itself: Google asks that a
 * part with a signature is never merged with another.
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
 * Gemini's counts as `Usage`. The prompt includes cached tokens and what tools of Google's own fed back into it;
 * the completion includes thoughts. Undefined when the prompt was not counted.
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
