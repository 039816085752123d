import type { Message, ToolCall, ToolMessage } from '../spec/v1/message.ts'
import { toolCallsOf } from './message-text.ts'

/** A run of messages that is kept, dropped or summarised whole: `start` inclusive, `end` exclusive. */
export interface Transaction {
  readonly start: number
  readonly end: number
}

/**
 * Splits messages into transactions: an assistant message with tool calls and the tool messages that follow
 * it directly are one, every other message is one by itself. Linear.
 */
export function toolTransactions(messages: readonly Message[]): Transaction[] {
  return [...firstTransactions(messages)]
}

/** The same from the first one on, each found when it is asked for: of a long history few are. */
export function* firstTransactions(messages: readonly Message[]): Generator<Transaction> {
  let start = 0
  while (start < messages.length) {
    let end = start + 1
    if (hasCalls(messages[start])) while (messages[end]?.role === 'tool') end++
    yield { start, end }
    start = end
  }
}

/** The same from the last one on. */
export function* lastTransactions(messages: readonly Message[]): Generator<Transaction> {
  let end = messages.length
  while (end > 0) {
    let start = end - 1
    while (messages[start]?.role === 'tool') start--
    if (start < end - 1 && !hasCalls(messages[start])) {
      // Results without a call.
      for (; end - 1 > start; end--) yield { start: end - 1, end }
      continue
    }
    yield { start, end }
    end = start
  }
}

/** The call that each result of a tool answers: the first with its id in the transaction. Results without one are left out. */
export function answeredCalls(messages: readonly Message[]): Map<Message, ToolCall> {
  const answered = new Map<Message, ToolCall>()
  for (const { start, end } of firstTransactions(messages)) {
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
