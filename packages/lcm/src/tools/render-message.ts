import { contentParts, type Message, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import type { StoredMessage } from '../store/stored-message.ts'
import { timeText } from './refs.ts'

/** Fields that the rendering shows in its own way, or that its frame shows. */
const SHOWN: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'id',
  'name',
])

/**
 * A stored message as text for a reader: its texts as they are, calls with their arguments, and a line for
 * everything that is no text. The exact message is its JSON text.
 */
export function renderMessage({ json, forgotten }: StoredMessage): string {
  if (forgotten !== undefined) {
    return `[deleted on request at ${timeText(forgotten.at)}: ${forgotten.reason}]`
  }
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return json
  const message = value as Message & Record<string, unknown>
  const lines: string[] = []
  if (typeof message.name === 'string') lines.push(`[name ${message.name}]`)
  if (typeof message.tool_call_id === 'string') lines.push(`[result of ${message.tool_call_id}]`)
  for (const part of contentParts(message)) lines.push(renderPart(part))
  if (typeof message.refusal === 'string' && message.refusal !== '')
    lines.push(`[refusal] ${message.refusal}`)
  for (const call of toolCallsOf(message)) {
    lines.push(
      `[call ${typeof call.id === 'string' ? call.id : ''}] ${toolCallName(call)} ${toolCallInput(call)}`,
    )
  }
  const others = Object.keys(message).filter((key) => !SHOWN.has(key))
  for (const key of others) lines.push(omitted(key, message[key]))
  return lines.join('\n')
}

function renderPart(part: ReturnType<typeof contentParts>[number]): string {
  if (part.type === 'text' && typeof part.text === 'string') return part.text
  if (part.type === 'refusal' && typeof part.refusal === 'string') return `[refusal] ${part.refusal}`
  return omitted(typeof part.type === 'string' ? part.type : 'part', part)
}

function omitted(name: string, value: unknown): string {
  return `[${name}: ${Buffer.byteLength(JSON.stringify(value))} bytes, see form "json"]`
}
