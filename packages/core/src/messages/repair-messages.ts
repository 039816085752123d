import { isJson } from '../laws/check-message.ts'
import type { Message, ToolCall, ToolMessage } from '../spec/message.ts'
import { isInstruction } from './is-instruction.ts'
import { toolCallsOf } from './message-text.ts'

/** What a call without a recorded result gets, so that the call itself is not lost. */
export const MISSING_RESULT_TEXT = '[no result was recorded for this call]'

export interface Repair {
  readonly messages: Message[]
  /** What was done, one entry a change; empty when nothing was wrong. */
  readonly changes: readonly string[]
}

export interface RepairOptions {
  /** Leave calls at the very end unanswered, as between a call and its tools. Default false. */
  readonly inFlight?: boolean
}

/**
 * Makes the tool pairs of a sequence whole: each result stands directly behind its call and once; a result
 * without a call is removed; a call without a result gets one that says so; arguments that are not JSON become
 * JSON that carries their text; later system prompts become user data. Idempotent, linear, never throws on a
 * list of message objects, and does not touch its input: what needs no repair is the same object.
 */
export function repairMessages(messages: readonly Message[], options: RepairOptions = {}): Repair {
  const changes: string[] = []
  const repaired: Message[] = []
  let index = 0
  while (index < messages.length) {
    const message = messages[index]
    index++
    if (message === undefined) continue
    if (message.role === 'tool') {
      changes.push(`removed a tool result without a call: ${message.tool_call_id}`)
    } else if (isInstruction(message) && repaired.length > 0) {
      changes.push('moved a system prompt that was not first into a user message')
      repaired.push({ role: 'user', content: message.content })
    } else if (toolCallsOf(message).length === 0) {
      repaired.push(message)
    } else {
      const owner = withUsableCalls(message, changes)
      const results = takeResults(messages, index, toolCallsOf(owner))
      const inFlight = options.inFlight === true && results.end === messages.length
      repaired.push(owner, ...answers(toolCallsOf(owner), results.found, inFlight, changes))
      for (const id of results.extra) changes.push(`removed a second or foreign tool result: ${id}`)
      index = results.end
    }
  }
  return { messages: repaired, changes }
}

interface Results {
  readonly found: Map<string, ToolMessage>
  readonly extra: readonly string[]
  readonly end: number
}

function takeResults(messages: readonly Message[], from: number, calls: readonly ToolCall[]): Results {
  const ids = new Set(calls.map((call) => call.id))
  const found = new Map<string, ToolMessage>()
  const extra: string[] = []
  let end = from
  for (let message = messages[end]; message?.role === 'tool'; message = messages[++end]) {
    const id = message.tool_call_id
    if (ids.has(id) && !found.has(id)) found.set(id, message)
    else extra.push(id)
  }
  return { found, extra, end }
}

function answers(
  calls: readonly ToolCall[],
  found: Map<string, ToolMessage>,
  inFlight: boolean,
  changes: string[],
): ToolMessage[] {
  const results = [...found.values()]
  if (inFlight) return results
  for (const { id } of calls) {
    if (found.has(id)) continue
    changes.push(`added a result for the unanswered call ${id}`)
    results.push({ role: 'tool', tool_call_id: id, content: MISSING_RESULT_TEXT })
  }
  return results
}

/** The message with each call id once and with arguments that parse; the same object if all is well. */
function withUsableCalls(message: Message, changes: string[]): Message {
  const calls: ToolCall[] = []
  const ids = new Set<string>()
  let changed = false
  for (const call of toolCallsOf(message)) {
    if (ids.has(call.id)) {
      changes.push(`removed a second call with the id ${call.id}`)
      changed = true
      continue
    }
    ids.add(call.id)
    if (call.type === 'custom' || isJson(call.function.arguments)) {
      calls.push(call)
      continue
    }
    changes.push(`wrapped arguments that are not JSON: ${call.id}`)
    changed = true
    calls.push({
      ...call,
      function: { ...call.function, arguments: JSON.stringify({ _raw: call.function.arguments }) },
    })
  }
  return changed && message.role === 'assistant' ? { ...message, tool_calls: calls } : message
}
