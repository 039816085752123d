import { assistantMessage, systemMessage, userMessage } from '../build-message.ts'
import { isObject, type JsonObject, nameOf, quote } from '../json.ts'
import type { ReadMessages } from '../recorded-item.ts'
import { timestampOf } from '../timestamp.ts'
import { apiUsage } from '../usage.ts'
import { anthropicAnswer, anthropicParts, anthropicUserTurn } from './anthropic-blocks.ts'

/**
 * True for messages of Anthropic's shape: calls and results are blocks of their content. A message that only ours or
 * OpenAI's shape has decides against it.
 */
export function isAnthropic(messages: readonly unknown[]): boolean {
  const objects = messages.filter(isObject)
  return objects.some(hasBlocks) && !objects.some(isOther)
}

function isOther({ role, content, tool_calls, providerData }: JsonObject): boolean {
  const isRole = role === 'user' || role === 'assistant'
  return !isRole || content === null || tool_calls !== undefined || providerData !== undefined
}

function hasBlocks({ role, content }: JsonObject): boolean {
  return Array.isArray(content) && content.some((block) => isObject(block) && isBlock(block, role))
}

/** A block that a reader of Anthropic's messages understands, and no other. */
function isBlock({ type, name, tool_use_id, source }: JsonObject, role: unknown): boolean {
  if (type === 'image' || type === 'document') return isObject(source) && nameOf(source.type) !== undefined
  if (role === 'user') return type === 'tool_result' && nameOf(tool_use_id) !== undefined
  return (
    (type === 'tool_use' && nameOf(name) !== undefined) || type === 'thinking' || type === 'redacted_thinking'
  )
}

/** One message of Anthropic's Messages API, or the `system` of a request under the role `system`. */
export function anthropicMessage(recorded: unknown, line: number): ReadMessages {
  if (!isObject(recorded)) return { fault: 'not a message object' }
  const { role, content } = recorded
  if (typeof content !== 'string' && !Array.isArray(content))
    return { fault: 'content that is neither text nor a list of blocks' }
  const base = { kind: 'message' as const, line, timestamp: timestampOf(recorded.timestamp) }
  const id = nameOf(recorded.id)
  if (role === 'system')
    return { messages: [{ ...base, message: systemMessage(role, anthropicParts(content), id) }] }
  if (role === 'assistant') {
    if (lacks(content, 'tool_use', 'name')) return { fault: 'a tool call without a name' }
    const message = assistantMessage({ ...anthropicAnswer(content), provider: 'anthropic', id })
    return {
      messages: [{ ...base, message, usage: apiUsage(recorded.usage), model: nameOf(recorded.model) }],
    }
  }
  if (role !== 'user') return { fault: `unknown role ${quote(role)}` }
  if (lacks(content, 'tool_result', 'tool_use_id')) return { fault: 'a tool result without a tool_use_id' }
  const { results, parts } = anthropicUserTurn(content, id)
  const said = parts.length > 0 || results.length === 0 ? [userMessage(parts, id)] : []
  return { messages: [...results, ...said].map((message) => ({ ...base, message })) }
}

function lacks(content: unknown, type: string, key: string): boolean {
  const blocks = Array.isArray(content) ? content : []
  return blocks.some((block) => isObject(block) && block.type === type && nameOf(block[key]) === undefined)
}
