import { checkMessage, isJson, isPart } from '../laws/check-message.ts'
import type { Message, ToolCall } from '../spec/v1/message.ts'
import { jsonText } from './json-value.ts'
import { toolCallInput, toolCallsOf } from './message-text.ts'

/**
 * One message as a provider could take it; the same object when nothing is wrong, undefined when its role is
 * unknown or it is no object. Content of a wrong type becomes its JSON text, so that nothing of it is lost.
 * `changes` gets one entry for each thing that was done.
 */
export function repairMessage(message: Message, changes: string[]): Message | undefined {
  const faults = checkMessage(message)
  if (faults.length === 0) return message
  const codes = new Set(faults.map(({ code }) => code))
  if (codes.has('NOT_A_MESSAGE') || codes.has('UNKNOWN_ROLE')) {
    changes.push(`left a message out of the request: ${faults[0]?.message}`)
    return undefined
  }
  const repaired: Record<string, unknown> = { ...message }
  if (codes.has('INVALID_CONTENT')) {
    changes.push(`wrote content of a wrong type as text, in a ${message.role} message`)
    repaired.content = usableContent(message.content)
  }
  if (codes.has('INVALID_CALL') || codes.has('DUPLICATE_CALL_ID') || codes.has('INVALID_ARGUMENTS')) {
    const calls = usableCalls(message, changes)
    if (calls.length > 0) repaired.tool_calls = calls
    else delete repaired.tool_calls
  }
  return repaired as unknown as Message
}

function usableContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content === null || content === undefined ? '' : jsonText(content)
  return Array.from(content, (part) => {
    if (isPart(part)) return part
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown }
    return { type: 'text', text: type === 'text' ? jsonText(text) : jsonText(part) }
  })
}

/** Each call id once, arguments that parse. A call without an id or a name cannot be answered and goes. */
function usableCalls(message: Message, changes: string[]): ToolCall[] {
  const ids = new Set<string>()
  const usable: ToolCall[] = []
  for (const call of toolCallsOf(message)) {
    const name: unknown = call.type === 'custom' ? call.custom?.name : call.function?.name
    if (typeof call.id !== 'string' || typeof name !== 'string') {
      changes.push('removed a tool call without an id or a name')
    } else if (ids.has(call.id)) {
      changes.push(`removed a second call with the id ${call.id}`)
    } else {
      ids.add(call.id)
      usable.push(withUsableInput(call, changes))
    }
  }
  if (usable.length === 0) changes.push('removed tool_calls that hold no usable call')
  return usable
}

/** The call with arguments that parse. What is not JSON is carried inside JSON; nothing means no arguments. */
function withUsableInput(call: ToolCall, changes: string[]): ToolCall {
  const text = toolCallInput(call)
  if (call.type === 'custom') {
    if (typeof call.custom.input === 'string') return call
    changes.push(`wrote the input of a call as text: ${call.id}`)
    return { ...call, custom: { ...call.custom, input: text } }
  }
  if (typeof call.function.arguments === 'string' && isJson(text)) return call
  changes.push(`wrapped arguments that are not JSON: ${call.id}`)
  const input = text.trim() === '' ? '{}' : isJson(text) ? text : JSON.stringify({ _raw: text })
  return { ...call, function: { ...call.function, arguments: input } }
}
