import type { Message, ToolCall } from '../spec/v1/message.ts'
import { jsonText } from './json-value.ts'

/** A part as it may come in: known or not. */
type AnyPart = { readonly type?: unknown; readonly text?: unknown; readonly refusal?: unknown }

/** The content of a message as a list of parts; a string is one text part, nothing is no part. */
export function contentParts(message: Message): readonly AnyPart[] {
  const { content } = message
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : []
}

/** The text of a message's content: text and refusal parts joined by newlines, everything else left out. */
export function messageText(message: Message): string {
  const { content } = message
  const text =
    typeof content === 'string' ? content : contentParts(message).map(partText).filter(Boolean).join('\n')
  if (message.role !== 'assistant' || typeof message.refusal !== 'string' || message.refusal === '')
    return text
  return text === '' ? message.refusal : `${text}\n${message.refusal}`
}

function partText(part: AnyPart): string {
  if (part.type === 'text' && typeof part.text === 'string') return part.text
  if (part.type === 'refusal' && typeof part.refusal === 'string') return part.refusal
  return ''
}

const NO_CALLS: readonly ToolCall[] = Object.freeze([])

/** The calls of an assistant message; none for every other message. What is not even an object is left out. */
export function toolCallsOf(message: Message): readonly ToolCall[] {
  if (message?.role !== 'assistant' || !Array.isArray(message.tool_calls)) return NO_CALLS
  return message.tool_calls.every(isObject) ? message.tool_calls : message.tool_calls.filter(isObject)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The name of the tool that a call is for. Empty when the call does not say. */
export function toolCallName(call: ToolCall): string {
  return jsonText(call.type === 'custom' ? call.custom?.name : call.function?.name)
}

/**
 * The arguments that a call passes to its tool: JSON text, or free text for a custom tool. Arguments that a host left
 * as an object become their JSON text.
 */
export function toolCallInput(call: ToolCall): string {
  return jsonText(call.type === 'custom' ? call.custom?.input : call.function?.arguments)
}
