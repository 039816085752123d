import type { Message, ToolCall } from '@palimpsest/core'
import { functionCall } from '../build-message.ts'
import { isObject, type JsonObject, nameOf, objectOf, quote, stringOf } from '../json.ts'
import { recordedParts } from '../recorded-parts.ts'
import { toolArguments } from '../tool-arguments.ts'

const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** A message, or why there is none. */
export type OpenaiMessage = { readonly message: Message } | { readonly fault: string }

/**
 * One recorded message of OpenAI's Chat Completions. Fields that are not known are kept; what would make the
 * message invalid is put right: content of a wrong type, arguments that are no JSON text, the `function_call`
 * and role `function` of before 2024. `place` makes ids for calls of that time, which had none.
 */
export function openaiMessage(recorded: unknown, place: number): OpenaiMessage {
  if (!isObject(recorded)) return { fault: 'not a message object' }
  if (!roles.has(recorded.role)) return { fault: `unknown role ${quote(recorded.role)}` }
  const content = contentOf(recorded.content)
  if (content === undefined) return { fault: 'content that is neither text nor a list of parts' }
  const { tool_calls, function_call, id, providerData, ...rest } = recorded
  const kept = {
    ...rest,
    ...(nameOf(id) !== undefined && { id }),
    ...(isObject(providerData) && { providerData }),
  }
  if (recorded.role === 'assistant') {
    const calls = callsOf(tool_calls, function_call, place)
    if (calls === undefined) return { fault: 'a tool call without a name' }
    return built({ ...kept, content, ...(calls.length > 0 && { tool_calls: calls }) })
  }
  if (recorded.role === 'tool' || recorded.role === 'function') {
    const callId = recorded.role === 'tool' ? stringOf(recorded.tool_call_id) : legacyId(recorded.name)
    if (callId === undefined) return { fault: 'a tool result without a tool_call_id' }
    return built({ ...kept, role: 'tool', content: content ?? '', tool_call_id: callId })
  }
  return built({ ...kept, content: content ?? '' })
}

/** The one place where checked data becomes a message. */
function built(message: JsonObject): OpenaiMessage {
  return { message: message as unknown as Message }
}

/** Null for no content; undefined for content of a type that no message has. */
function contentOf(recorded: unknown): unknown {
  if (recorded === undefined || recorded === null) return null
  if (typeof recorded === 'string') return recorded
  return Array.isArray(recorded) ? recordedParts(recorded) : undefined
}

/** The calls, with arguments that parse; undefined if one of them cannot be understood. */
function callsOf(toolCalls: unknown, legacyCall: unknown, place: number): ToolCall[] | undefined {
  const list = toolCalls ?? []
  if (!Array.isArray(list)) return undefined
  if (list.length === 0 && isObject(legacyCall)) {
    const name = nameOf(legacyCall.name)
    if (name === undefined) return undefined
    return [functionCall(legacyId(name), name, toolArguments(legacyCall.arguments))]
  }
  const calls = list.map((call, index) => toolCall(objectOf(call), `call_${place}_${index}`))
  return calls.every((call) => call !== undefined) ? calls : undefined
}

/** Calls of that time had no id: a result named its function, and came directly behind. */
function legacyId(name: unknown): string {
  return `function_${String(name)}`
}

function toolCall(call: JsonObject, defaultId: string): ToolCall | undefined {
  const id = stringOf(call.id) ?? defaultId
  if (call.type === 'custom') {
    const custom = objectOf(call.custom)
    const name = nameOf(custom.name)
    if (name === undefined) return undefined
    return { ...call, id, type: 'custom', custom: { ...custom, name, input: stringOf(custom.input) ?? '' } }
  }
  const called = objectOf(call.function)
  const name = nameOf(called.name)
  if (name === undefined) return undefined
  return {
    ...call,
    id,
    type: 'function',
    function: { ...called, name, arguments: toolArguments(called.arguments) },
  }
}
