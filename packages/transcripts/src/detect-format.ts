import { isObject, type Loose } from '@palimpsest/core'
import { nameOf } from './json.ts'
import type { TranscriptFormat } from './transcript.ts'

/** Anthropic's messages begin as OpenAI's do: their reader tells them apart. */
export type DetectedFormat = Exclude<TranscriptFormat, 'anthropic'>

/**
 * The format that one JSON value of a file belongs to, or undefined when it could belong to any or none. The
 * first value that is recognised decides for the whole file. pi, Claude Code and Codex all write one object
 * with a `type` a line and can be told apart by what stands beside it.
 */
export function detectFormat(value: unknown): DetectedFormat | undefined {
  if (Array.isArray(value))
    return value.some((element) => detectFormat(element) === 'openai') ? 'openai' : undefined
  if (!isObject(value)) return undefined
  if (isPi(value)) return 'pi'
  if (isCodex(value)) return 'codex'
  if (isClaudeCode(value)) return 'claude-code'
  if (isOpencode(value)) return 'opencode'
  return isOpenai(value) ? 'openai' : undefined
}

function isPi(value: Loose): boolean {
  if (value.type === 'session') return nameOf(value.id) !== undefined
  return value.type === 'message' && isObject(value.message) && nameOf(value.message.role) !== undefined
}

const codexEnvelopes: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])
const codexItems: ReadonlySet<unknown> = new Set([
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'reasoning',
])

function isCodex(value: Loose): boolean {
  if (codexEnvelopes.has(value.type)) return isObject(value.payload)
  if (value.type === 'message') return nameOf(value.role) !== undefined && Array.isArray(value.content)
  if (codexItems.has(value.type)) return true
  // The older format begins with a header that has no type.
  const isHeader = nameOf(value.id) !== undefined && 'timestamp' in value && 'instructions' in value
  return isHeader || value.record_type === 'state'
}

const claudeCodeEvents: ReadonlySet<unknown> = new Set([
  'attachment',
  'file-history-snapshot',
  'progress',
  'queue-operation',
  'summary',
  'system',
])
const claudeCodeIds = ['uuid', 'sessionId', 'session_id', 'leafUuid', 'messageId']

function isClaudeCode(value: Loose): boolean {
  if (value.type === 'user' || value.type === 'assistant') return isObject(value.message)
  return claudeCodeEvents.has(value.type) && claudeCodeIds.some((key) => nameOf(value[key]) !== undefined)
}

function isOpencode(value: Loose): boolean {
  const { messages = [value] } = value
  return (
    Array.isArray(messages) &&
    messages.some((one) => isObject(one) && hasRole(one.info) && Array.isArray(one.parts))
  )
}

function isOpenai(value: Loose): boolean {
  if (Array.isArray(value.messages)) return value.messages.some(hasRole)
  return hasRole(value)
}

function hasRole(value: unknown): boolean {
  return isObject(value) && nameOf(value.role) !== undefined
}
