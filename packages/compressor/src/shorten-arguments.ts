import { type Message, redactSecrets, type ToolCall, toolCallsOf } from '@palimpsest/core'
import { cutMiddle, isShortened } from './tool-result-stub.ts'

/** Arguments up to this length stay as they are, in characters. */
const LONG_ARGUMENTS = 500
/** Strings inside longer arguments are cut to this length, in characters. */
const KEPT_STRING = 200

/** The message with the long strings in its calls' arguments cut; they stay valid JSON. The same object if nothing is long. */
export function shortenArguments(message: Message): Message {
  const calls = toolCallsOf(message)
  const shortened = calls.map(shortenCall)
  if (message.role !== 'assistant' || shortened.every((call, index) => call === calls[index])) return message
  return { ...message, tool_calls: shortened }
}

function shortenCall(call: ToolCall): ToolCall {
  if (call.type === 'custom') {
    const input = shortenValue(call.custom.input) as string
    return input.length < call.custom.input.length ? { ...call, custom: { ...call.custom, input } } : call
  }
  if (call.function.arguments.length <= LONG_ARGUMENTS) return call
  let value: unknown
  try {
    value = JSON.parse(call.function.arguments)
  } catch {
    return call
  }
  const text = JSON.stringify(shortenValue(value))
  if (text.length >= call.function.arguments.length) return call
  return { ...call, function: { ...call.function, arguments: text } }
}

function shortenValue(value: unknown): unknown {
  if (typeof value === 'string') {
    // A secret that is cut in two would not be recognised any more.
    return value.length <= KEPT_STRING || isShortened(value)
      ? value
      : cutMiddle(redactSecrets(value), KEPT_STRING)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shortenValue)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortenValue(member)]))
}
