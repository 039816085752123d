import {
  contentParts,
  hasReasoning,
  isBridge,
  isInstruction,
  isSpoken,
  isSummary,
  type Message,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { ViewMessage } from './session-view.ts'

/** A host may continue from a request that contains an engine's summaries. */
export function messageKind(message: Message) {
  if (isInstruction(message)) return 'system'
  return isSummary(message) || isBridge(message) ? 'summary' : 'message'
}

type SaidMessage = Pick<
  ViewMessage,
  'role' | 'text' | 'calls' | 'isInserted' | 'callId' | 'isError' | 'reasoning' | 'attachments'
>

const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'refusal'])

const PART_NAMES: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  thinking: 'reasoning',
  redacted_thinking: 'reasoning',
}

const ROLES: readonly ViewMessage['role'][] = ['system', 'developer', 'user', 'assistant', 'tool']

/** A host may send anything: a message of an unknown role is shown as a tool's. */
export function toViewMessage(message: Message): SaidMessage {
  const calls = toolCallsOf(message).map((call) => ({
    id: textOf(call.id),
    name: toolCallName(call),
    arguments: toolCallInput(call),
  }))
  const attachments = attachmentsOf(message)
  const text = messageText(message)
  const reasoning = reasoningOf(message)
  return {
    role: ROLES.find((role) => role === message.role) ?? 'tool',
    text,
    ...(calls.length > 0 && { calls }),
    ...(isInserted(message) && { isInserted: true as const }),
    ...(message.role === 'tool' && { callId: textOf(message.tool_call_id) }),
    ...(message.role === 'tool' && isFailure(message, text) && { isError: true as const }),
    ...(reasoning !== '' && { reasoning }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function attachmentsOf(message: Message): string[] {
  const parts = contentParts(message)
    .filter(({ type }) => !TEXT_PARTS.has(type))
    .map(({ type }) => PART_NAMES[textOf(type)] ?? textOf(type))
  return hasReasoning(message) && !parts.includes('reasoning') ? ['reasoning', ...parts] : parts
}

function isInserted(message: Message): boolean {
  if (message.role !== 'user' || isSummary(message) || isBridge(message)) return false
  return fieldOf(message.providerData?.transcript, 'recordedRole') !== undefined || !isSpoken(message)
}

function isFailure({ providerData }: Message, text: string): boolean {
  return fieldOf(providerData?.transcript, 'isError') === true || text.startsWith('{"error"')
}

/** Encrypted blocks have no text. */
function reasoningOf(message: Message): string {
  if (message.role !== 'assistant') return ''
  const parts = contentParts(message).filter(
    ({ type }) => PART_NAMES[textOf(type)] === 'reasoning' || type === 'reasoning',
  )
  const fields = ['reasoning', 'reasoning_content', 'thinking'].map((name) => fieldOf(message, name))
  const kept = Object.values(message.providerData ?? {}).map((data) => fieldOf(data, 'reasoning'))
  return [...parts, ...fields, fieldOf(message, 'reasoning_details'), ...kept]
    .flatMap(reasoningTexts)
    .join('\n\n')
}

function reasoningTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(reasoningTexts)
  if (typeof value !== 'object' || value === null) return []
  return ['thinking', 'text', 'summary'].map((name) => fieldOf(value, name)).flatMap(reasoningTexts)
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
