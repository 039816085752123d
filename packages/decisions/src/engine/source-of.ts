import {
  checkMessage,
  contentParts,
  isInstruction,
  type Message,
  messageText,
  redactMessage,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { SourceMessage } from '../candidates/source-message.ts'
import { hashText } from '../log/hash-text.ts'

/** A message as it is kept. A broken one says nothing. A system prompt may change at any time, which is no edit: its hash is its role's. */
export function sourceOf(message: Message, index: number, turn: number): SourceMessage {
  const { role } = message
  const isSaid = (role === 'user' || role === 'assistant') && checkMessage(message).length === 0
  return {
    message: index,
    turn,
    // A message of no known role says nothing, like a tool's.
    role: ROLES.has(role) ? role : 'tool',
    text: isSaid ? messageText(redactMessage(message)) : '',
    hash: messageHash(message),
  }
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/**
 * Tells an edit of a message: another role, text, part, call or result. What a host may leave out when it keeps an answer
 * (its id, empty members, the data of its provider) is not a part of what was said.
 */
export function messageHash(message: Message): string {
  if (isInstruction(message)) return hashText('system')
  if (checkMessage(message).length > 0) return hashText(JSON.stringify(message))
  const text = messageText(message)
  const media = contentParts(message).filter(({ type }) => type !== 'text')
  const calls = toolCallsOf(message).map((call) => [call.id, toolCallName(call), toolCallInput(call)])
  const rest = [message.role, media, calls, message.role === 'tool' ? message.tool_call_id : '']
  // JSON has no line breaks, so nothing else looks the same. As JSON a long text would take three times as long, but lone surrogates differ in it only.
  return hashText(text.isWellFormed() ? `${JSON.stringify(rest)}\n${text}` : JSON.stringify([rest, text]))
}
