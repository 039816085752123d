import {
  countMessages,
  type Message,
  messageText,
  redactMessage,
  redactSecrets,
  type TokenCounter,
  type ToolCall,
  type ToolMessage,
  toolTransactions,
} from '@palimpsest/core'
import { cutMiddle } from '@palimpsest/summaries'

export interface FittedTail {
  readonly messages: readonly Message[]
  readonly spilled: readonly Message[]
}

export interface TailLimits {
  readonly max: number
  readonly newest: number
}

const LEAST_CHARACTERS = 200
const LONG_ARGUMENTS = 500
const KEPT_STRING = 200

/**
 * Shortens a tail that is too large, which is then the newest transaction: long arguments, and results, which keep both
 * ends. Words of users and assistants never change.
 */
export function fitTail(tail: readonly Message[], limits: TailLimits, tokens: TokenCounter): FittedTail {
  const messages = [...tail]
  let size = countMessages(tokens, messages)
  const replace = (index: number, next: Message): void => {
    const gain = tokens.countMessage(messages[index] as Message) - tokens.countMessage(next)
    if (gain <= 0) return
    size -= gain
    messages[index] = next
  }
  messages.forEach((message, index) => {
    if (size > limits.max) replace(index, shortenArguments(message))
  })
  const lengths = messages.map((message) =>
    size > limits.newest && message.role === 'tool' ? messageText(message).length : 0,
  )
  while (size > limits.newest) {
    const most = lengths.reduce((longest, length) => Math.max(longest, length), 0)
    if (most <= 2 * LEAST_CHARACTERS) break
    const index = lengths.indexOf(most)
    const half = halveResult(messages[index] as ToolMessage)
    replace(index, half)
    lengths[index] = Math.min(messageText(half).length, most - 1)
  }
  const spilled = toolTransactions(tail).flatMap(({ start, end }) => {
    const whole = tail.slice(start, end)
    return whole.some((message, offset) => message !== messages[start + offset]) ? whole : []
  })
  return { messages, spilled }
}

/** Redaction must come first: half of a secret would not be recognised. */
function halveResult(result: ToolMessage): Message {
  const text = messageText(redactMessage(result))
  const half = Math.floor(text.length / 2)
  return { ...result, content: cutMiddle(text, Math.ceil(half * 0.6), Math.floor(half * 0.4)) }
}

function shortenArguments(message: Message): Message {
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message
  const calls = message.tool_calls.map(shortenCall)
  return calls.every((call, index) => call === message.tool_calls?.[index])
    ? message
    : { ...message, tool_calls: calls }
}

function shortenCall(call: ToolCall): ToolCall {
  if (call.type === 'custom') {
    const { input } = call.custom
    return input.length <= LONG_ARGUMENTS
      ? call
      : { ...call, custom: { ...call.custom, input: shortenString(input) } }
  }
  const { arguments: input } = call.function
  if (input.length <= LONG_ARGUMENTS) return call
  try {
    const text = JSON.stringify(JSON.parse(input), (_key, value) =>
      typeof value === 'string' ? shortenString(value) : value,
    )
    return text.length < input.length ? { ...call, function: { ...call.function, arguments: text } } : call
  } catch {
    return call
  }
}

function shortenString(text: string): string {
  return text.length <= KEPT_STRING
    ? text
    : cutMiddle(redactSecrets(text), KEPT_STRING * 0.6, KEPT_STRING * 0.4)
}
