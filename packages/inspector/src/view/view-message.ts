import {
  contentParts,
  hasReasoning,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { ViewMessage } from './session-view.ts'

/** Everything of a `ViewMessage` that a message says itself. */
export type SaidMessage = Pick<ViewMessage, 'role' | 'text' | 'calls' | 'callId' | 'attachments'>

/** Parts whose text is in `text`. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'refusal'])

/** Parts of known kinds, by the word for people. */
const PART_NAMES: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
}

const ROLES: readonly ViewMessage['role'][] = ['system', 'developer', 'user', 'assistant', 'tool']

/** A message as the page shows it. A host may have sent anything: what has no known role is shown as a tool's. */
export function toViewMessage(message: Message): SaidMessage {
  const calls = toolCallsOf(message).map((call) => ({
    id: textOf(call.id),
    name: toolCallName(call),
    arguments: toolCallInput(call),
  }))
  const attachments = attachmentsOf(message)
  return {
    role: ROLES.find((role) => role === message.role) ?? 'tool',
    text: messageText(message),
    ...(calls.length > 0 && { calls }),
    ...(message.role === 'tool' && { callId: textOf(message.tool_call_id) }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function attachmentsOf(message: Message): string[] {
  const parts = contentParts(message)
    .filter(({ type }) => !TEXT_PARTS.has(type))
    .map(({ type }) => PART_NAMES[textOf(type)] ?? textOf(type))
  return hasReasoning(message) && !parts.includes('reasoning') ? ['reasoning', ...parts] : parts
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
