import {
  equalValues,
  type Message,
  type Redactor,
  redactSecrets,
  type ToolCall,
  toolCallsOf,
} from '@palimpsest/core'

const known = new WeakMap<Message, Message>()

/**
 * The message as a summariser may see it: secrets hidden in text and in the arguments of calls. A frozen
 * message is looked at once in its life; the same object comes back when it holds no secret.
 */
export function redactMessage(message: Message, redact: Redactor = redactSecrets): Message {
  const found = known.get(message)
  if (found !== undefined) return found
  const redacted = redactParts(message, redact)
  if (Object.isFrozen(message)) known.set(message, redacted)
  return redacted
}

function redactParts(message: Message, redact: Redactor): Message {
  const content = redactContent(message.content, redact)
  const calls = toolCallsOf(message)
  const redactedCalls = calls.map((call) => redactCall(call, redact))
  const sameCalls = redactedCalls.every((call, index) => call === calls[index])
  const refusal = message.role === 'assistant' ? message.refusal : undefined
  const redactedRefusal = typeof refusal === 'string' ? redact(refusal) : refusal
  if (content === message.content && sameCalls && redactedRefusal === refusal) return message
  return {
    ...message,
    content,
    ...(!sameCalls && { tool_calls: redactedCalls }),
    ...(redactedRefusal !== refusal && { refusal: redactedRefusal }),
  } as Message
}

function redactCall(call: ToolCall, redact: Redactor): ToolCall {
  if (call.type === 'custom') {
    const custom = { name: redact(call.custom.name), input: redact(call.custom.input) }
    return equalValues(custom, call.custom) ? call : { ...call, custom: { ...call.custom, ...custom } }
  }
  const named = { name: redact(call.function.name), arguments: redact(call.function.arguments) }
  return equalValues(named, call.function) ? call : { ...call, function: { ...call.function, ...named } }
}

function redactContent(content: Message['content'], redact: Redactor): Message['content'] {
  if (typeof content === 'string') return redact(content)
  if (!Array.isArray(content)) return content
  const parts = content.map((part) => {
    const key = part.type === 'refusal' ? 'refusal' : 'text'
    const text: unknown = (part as unknown as Record<string, unknown>)[key]
    if (typeof text !== 'string') return part
    const redacted = redact(text)
    return redacted === text ? part : { ...part, [key]: redacted }
  })
  return parts.every((part, index) => part === content[index]) ? content : (parts as typeof content)
}
