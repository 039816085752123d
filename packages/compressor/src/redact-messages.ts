import { type Message, type Redactor, redactSecrets, toolCallsOf } from '@palimpsest/core'

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
  const redactedCalls = calls.map((call) => {
    if (call.type === 'custom') {
      const input = redact(call.custom.input)
      return input === call.custom.input ? call : { ...call, custom: { ...call.custom, input } }
    }
    const text = redact(call.function.arguments)
    return text === call.function.arguments
      ? call
      : { ...call, function: { ...call.function, arguments: text } }
  })
  const sameCalls = redactedCalls.every((call, index) => call === calls[index])
  if (content === message.content && sameCalls) return message
  return { ...message, content, ...(!sameCalls && { tool_calls: redactedCalls }) } as Message
}

function redactContent(content: Message['content'], redact: Redactor): Message['content'] {
  if (typeof content === 'string') return redact(content)
  if (!Array.isArray(content)) return content
  const parts = content.map((part) => {
    if (part.type !== 'text' || typeof part.text !== 'string') return part
    const text = redact(part.text)
    return text === part.text ? part : { ...part, text }
  })
  return parts.every((part, index) => part === content[index]) ? content : (parts as typeof content)
}
