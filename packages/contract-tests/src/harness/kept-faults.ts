import { type Message, messageText, stripReasoning, toolCallsOf } from '@palimpsest/core'
import { difference } from './difference.ts'

/** Shorter texts, such as "yes", may be part of another one by chance. In characters. */
const SHORTEST_PART = 20

/**
 * Faults of messages kept from a history: a kept message is unchanged, including white space and unknown members. A
 * shortened text must say so.
 */
export function keptFaults(list: readonly Message[], history: readonly Message[]): string[] {
  const known = new Set(history.map((message) => JSON.stringify(message)))
  return list.flatMap((message, index) => {
    if (known.has(JSON.stringify(message))) return []
    const at = history.findIndex((other) => isKept(message, other))
    const original = history[at]
    if (original !== undefined) {
      const found = difference(membersOf(message, original), membersOf(original, message))
      if (found !== undefined)
        return [`message ${index} is message ${at} of the history and not as it came: ${found}`]
    }
    const whole = original ?? history.find((other) => isPart(message, other))
    const [is, was] = [messageText(message), messageText(whole ?? message)]
    if (is.length >= was.length || !isSubsequence(is, was)) return []
    return [
      `message ${index} holds ${is.length} of ${was.length} characters of a ${message.role} message, and nothing says so`,
    ]
  })
}

function isKept(message: Message, other: Message): boolean {
  if (message.role !== other.role) return false
  if (message.role === 'tool' && other.role === 'tool') return message.tool_call_id === other.tool_call_id
  const [id, otherId] = [message, other].map(firstCallId)
  if (id !== undefined || otherId !== undefined) return id === otherId
  if (message.role === 'system') return messageText(message).startsWith(messageText(other))
  return dense(message) !== '' && dense(message) === dense(other)
}

/**
 * Members that must be equal: all except reasoning, arguments, shortened text and a system prompt's note. Invariant 2
 * covers the calls.
 */
function membersOf(message: Message, other: Message): unknown {
  const isSameText = dense(message) === dense(other) && message.role !== 'system'
  const { content, ...members } = stripReasoning(message)
  const others = toolCallsOf(other).map(({ id }) => id)
  const calls = toolCallsOf(message)
    .filter(({ id }) => others.includes(id))
    .map((call) =>
      call.type === 'function' ? { ...call, function: { ...call.function, arguments: '' } } : call,
    )
  return { ...members, tool_calls: calls, ...(isSameText && { content }) }
}

function firstCallId(message: Message): string | undefined {
  return toolCallsOf(message)[0]?.id
}

function dense(message: Message): string {
  return messageText(message).replaceAll(/\s+/g, '')
}

function isPart(message: Message, other: Message): boolean {
  const [is, was] = [messageText(message), messageText(other)]
  return (
    message.role === other.role &&
    is.length >= SHORTEST_PART &&
    is.length < was.length &&
    isSubsequence(is, was)
  )
}

function isSubsequence(text: string, whole: string): boolean {
  let at = -1
  for (const character of text) {
    at = whole.indexOf(character, at + 1)
    if (at === -1) return false
  }
  return true
}
