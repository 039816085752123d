import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { fromPart, mapContent, toPart } from './parts.ts'
import { parseJson, stableJson } from './stable-json.ts'

/** What the SDK's providers tell a model whose call was denied without a reason. */
const DENIED = 'Tool execution denied.'

/** A tool's output as the content of a tool message, and what to remember to get it back. */
export interface ReadOutput {
  readonly content: unknown
  /** Absent for plain text. */
  readonly output?: Loose
}

/**
 * The content holds all that the tool said, as an engine may shorten or summarise it; `output` only tells which of the
 * types of the AI SDK it was.
 */
export function fromOutput(output: unknown): ReadOutput {
  const { type, value, ...rest } = looseOf(output)
  const mark = (more: Loose = {}): { readonly output?: Loose } =>
    type === 'text' && Object.keys(rest).length === 0 ? {} : { output: { type, ...rest, ...more } }
  if ((type === 'text' || type === 'error-text') && typeof value === 'string')
    return { content: value, ...mark() }
  if ((type === 'json' || type === 'error-json') && value !== undefined)
    return { content: stableJson(value) ?? 'null', ...mark() }
  if (type === 'content' && Array.isArray(value)) return { content: mapContent(value, fromPart), ...mark() }
  if (type === 'execution-denied') {
    const { reason, ...others } = rest
    return typeof reason === 'string'
      ? { content: reason, output: { type, ...others, hasReason: true } }
      : { content: DENIED, output: { type, ...others } }
  }
  // No output of this version. It comes back as it was.
  return { content: stableJson(output) ?? '', output: { type: 'unknown' } }
}

/** The reverse of `fromOutput`. What an engine wrote in the place of an output is text, an error's still an error. */
export function toOutput(content: unknown, output: unknown): unknown {
  const { type, hasReason, ...rest } = looseOf(output)
  if (Array.isArray(content)) return { ...rest, type: 'content', value: mapContent(content, toPart) }
  const text = typeof content === 'string' ? content : ''
  if (type === 'json' || type === 'error-json' || type === 'unknown') {
    const parsed = parseJson(text)
    if (parsed === undefined) return { type: type === 'error-json' ? 'error-text' : 'text', value: text }
    return type === 'unknown' ? parsed.value : { ...rest, type, value: parsed.value }
  }
  if (type === 'execution-denied') {
    if (hasReason === true) return { ...rest, type, reason: text }
    if (text === DENIED) return { ...rest, type }
  }
  if (type === 'error-text' || type === 'text') return { ...rest, type, value: text }
  return { type: 'text', value: text }
}

/** True for what stands in a tool message as the result of a call. */
export function isToolResult(part: unknown): part is Loose & { readonly toolCallId: string } {
  return isObject(part) && part.type === 'tool-result' && typeof part.toolCallId === 'string'
}
