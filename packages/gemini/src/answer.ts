import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai'
import { isObject, normalizeUsage, type Usage } from '@palimpsest/core'

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
