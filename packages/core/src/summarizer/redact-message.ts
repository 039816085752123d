import { equalValues } from '../messages/equal-values.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import { redactSecrets } from '../redaction/redact-secrets.ts'
import type { Message, ToolCall } from '../spec/v1/message.ts'

const known = new WeakMap<Message, Message>()

/**
 * The message as a summariser may see it: secrets hidden in text and in the arguments of calls. A frozen
 * message is looked at once in its life; the same object comes back when it holds no secret.
 */
export function redactMessage(message: Message): Message {
  const found = known.get(message)
  if (found !== undefined) return found
  const redacted = redactParts(message)
  if (Object.isFrozen(message)) known.set(message, redacted)
  return redacted
}

function redactParts(message: Message): Message {
  const content = redactContent(message.content)
  const calls = toolCallsOf(message)
  const redactedCalls = calls.map(redactCall)
  const sameCalls = redactedCalls.every((call, index) => call === calls[index])
  const refusal = message.role === 'assistant' ? message.refusal : undefined
  const redactedRefusal = typeof refusal === 'string' ? redactSecrets(refusal) : refusal
  if (content === message.content && sameCalls && redactedRefusal === refusal) return message
  return {
    ...message,
    content,
    ...(!sameCalls && { tool_calls: redactedCalls }),
    ...(redactedRefusal !== refusal && { refusal: redactedRefusal }),
  } as Message
}

function redactCall(call: ToolCall): ToolCall {
  if (call.type === 'custom') {
    const custom = { name: redactSecrets(call.custom.name), input: redactSecrets(call.custom.input) }
    return equalValues(custom, call.custom) ? call : { ...call, custom: { ...call.custom, ...custom } }
  }
  const named = { name: redactSecrets(call.function.name), arguments: redactSecrets(call.function.arguments) }
  return equalValues(named, call.function) ? call : { ...call, function: { ...call.function, ...named } }
}

function redactContent(content: Message['content']): Message['content'] {
  if (typeof content === 'string') return redactSecrets(content)
  if (!Array.isArray(content)) return content
  const parts = content.map((part) => {
    const key = part.type === 'refusal' ? 'refusal' : 'text'
    const text: unknown = (part as unknown as Record<string, unknown>)[key]
    if (typeof text !== 'string') return part
    const redacted = redactSecrets(text)
    return redacted === text ? part : { ...part, [key]: redacted }
  })
  return parts.every((part, index) => part === content[index]) ? content : (parts as typeof content)
}
