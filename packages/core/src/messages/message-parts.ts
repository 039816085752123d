import type { Message, ToolCall, ToolMessage } from '../spec/v1/index.ts'
import { jsonText } from './json-value.ts'

type AnyPart = { readonly type?: unknown; readonly text?: unknown; readonly refusal?: unknown }

/** The content of a message as a list of parts: a string is one text part, and missing content is an empty list. */
export function contentParts(message: Message): readonly AnyPart[] {
  const { content } = message
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : []
}

/** The text of a message: its text and refusal parts joined by newlines. */
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

/** The calls of an assistant message; empty for other messages. Invalid entries are left out. */
export function toolCallsOf(message: Message): readonly ToolCall[] {
  if (message?.role !== 'assistant' || !Array.isArray(message.tool_calls)) return NO_CALLS
  return message.tool_calls.every(isObject) ? message.tool_calls : message.tool_calls.filter(isObject)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** The name of the called tool; empty if the call has none. */
export function toolCallName(call: ToolCall): string {
  return jsonText(call.type === 'custom' ? call.custom?.name : call.function?.name)
}

/**
 * The arguments of a call: JSON text, or free text for a custom tool. Arguments given as an object become JSON text.
 */
export function toolCallInput(call: ToolCall): string {
  return jsonText(call.type === 'custom' ? call.custom?.input : call.function?.arguments)
}

/** A range of messages that is kept, dropped or summarised as a whole: `start` inclusive, `end` exclusive. */
export interface Transaction {
  readonly start: number
  readonly end: number
}

/**
 * Splits messages into transactions: an assistant message with tool calls and its tool results are one, every other
 * message is one by itself. Linear.
 */
export function toolTransactions(messages: readonly Message[]): Transaction[] {
  return [...firstTransactions(messages)]
}

/** Yields the transactions of a list lazily, from the first. */
export function* firstTransactions(messages: readonly Message[]): Generator<Transaction> {
  let start = 0
  while (start < messages.length) {
    let end = start + 1
    if (hasCalls(messages[start])) while (messages[end]?.role === 'tool') end++
    yield { start, end }
    start = end
  }
}

/** Yields the transactions of a list lazily, from the last. */
export function* lastTransactions(messages: readonly Message[]): Generator<Transaction> {
  let end = messages.length
  while (end > 0) {
    let start = end - 1
    while (messages[start]?.role === 'tool') start--
    if (start < end - 1 && !hasCalls(messages[start])) {
      for (; end - 1 > start; end--) yield { start: end - 1, end }
      continue
    }
    yield { start, end }
    end = start
  }
}

/** Maps each tool result to the call that it answers in its transaction. Results without a call are left out. */
export function answeredCalls(messages: readonly Message[]): Map<Message, ToolCall> {
  const answered = new Map<Message, ToolCall>()
  for (const { start, end } of firstTransactions(messages)) {
    if (end === start + 1) continue
    const calls = new Map<string, ToolCall>()
    for (const call of toolCallsOf(messages[start] as Message))
      if (!calls.has(call.id)) calls.set(call.id, call)
    for (const result of messages.slice(start + 1, end)) {
      const call = calls.get((result as ToolMessage).tool_call_id)
      if (call !== undefined) answered.set(result, call)
    }
  }
  return answered
}

function hasCalls(message: Message | undefined): boolean {
  return message !== undefined && toolCallsOf(message).length > 0
}
