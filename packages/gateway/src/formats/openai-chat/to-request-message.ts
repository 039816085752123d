import { type AssistantMessage, isObject, type Loose, looseOf, type ToolCall } from '@palimpsest/core'

/** Fields of answers that requests do not take, or that say nothing when they come back. */
const ANSWER_ONLY = new Set([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
  'index',
])

/**
 * An answer as the assistant message of the next request. Fields that are not known stay, because some providers want
 * them back, such as reasoning; those without a value go.
 */
export function toRequestMessage(answer: Loose): AssistantMessage {
  const rest = Object.entries(answer).filter(
    ([name, value]) =>
      !ANSWER_ONLY.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  const calls = Array.isArray(answer.tool_calls) ? answer.tool_calls.filter(isObject).map(toCall) : []
  return {
    ...Object.fromEntries(rest),
    role: 'assistant',
    content: contentOf(answer, calls.length > 0) ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function contentOf({ content }: Loose, hasCalls: boolean): AssistantMessage['content'] {
  if (typeof content === 'string' || Array.isArray(content)) return content as AssistantMessage['content']
  return hasCalls ? null : ''
}

/** A call with what the wire shape needs; its other fields, such as a signature, stay. */
function toCall({ index: _, ...call }: Loose): ToolCall {
  const id = typeof call.id === 'string' ? call.id : ''
  if (call.type === 'custom') {
    const { name, input } = looseOf(call.custom)
    return { ...call, id, type: 'custom', custom: { name: String(name), input: String(input ?? '') } }
  }
  const { name, arguments: text } = looseOf(call.function)
  const fields = {
    name: String(name),
    arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}),
  }
  return { ...call, id, type: 'function', function: { ...looseOf(call.function), ...fields } }
}
