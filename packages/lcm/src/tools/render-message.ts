import { type Message, toolCallName, toolCallsOf } from '@palimpsest/core'
import { encodeMessage } from '../messages/encode-message.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import { forgottenText } from './forgotten.ts'
import { labelText } from './refs.ts'

/** Fields that stand in the text, or in the frame of an answer. */
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
 * A stored message as text for a reader. First what a search reads, unchanged, so that lines and offsets of a hit are
 * those of this text; then a line for everything else. The exact message is its JSON text.
 */
export function renderMessage({ json, forgotten }: Pick<StoredMessage, 'json' | 'forgotten'>): string {
  if (forgotten !== undefined) return forgottenText(forgotten)
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return json
  const message = value as Message & Record<string, unknown>
  const { text } = encodeMessage(message, 0)
  return [...(text === '' ? [] : [text]), ...notes(message)].join('\n')
}

function notes(message: Message & Record<string, unknown>): string[] {
  const lines: string[] = []
  if (typeof message.name === 'string') lines.push(`[name ${labelText(message.name)}]`)
  if (typeof message.tool_call_id === 'string') lines.push(`[result of ${labelText(message.tool_call_id)}]`)
  lines.push(...contentNotes(message.content))
  for (const call of toolCallsOf(message)) {
    const id = typeof call.id === 'string' ? ` ${labelText(call.id)}` : ''
    lines.push(`[call${id}: ${labelText(toolCallName(call))}]`)
  }
  for (const key of Object.keys(message)) if (!SHOWN.has(key)) lines.push(omitted(key, message[key]))
  return lines
}

function contentNotes(content: unknown): string[] {
  if (content === undefined || content === null || typeof content === 'string') return []
  if (!Array.isArray(content)) return [omitted('content', content)]
  return content.flatMap((part: Record<string, unknown> | null) => {
    const type = typeof part?.type === 'string' ? part.type : 'part'
    const isText = (type === 'text' || type === 'refusal') && typeof part?.[type] === 'string'
    return isText ? [] : [omitted(type, part)]
  })
}

function omitted(name: string, value: unknown): string {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return `[${labelText(name)}: ${bytes} bytes, see form "json"]`
}
