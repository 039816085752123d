import { type ContentPart, isObject, type Loose, looseOf, type ToolMessage } from '@palimpsest/core'
import {
  type AnswerBlocks,
  assistantMessage,
  functionCall,
  imagePart,
  recordedParts,
  systemMessage,
  textPart,
  toolMessage,
  userMessage,
} from '../build-message.ts'
import { nameOf, quote, timestampOf, toolArguments } from '../json.ts'
import type { ReadMessages } from '../recorded-item.ts'
import { apiUsage } from '../usage.ts'

export function anthropicParts(content: unknown): ContentPart[] {
  return recordedParts(content, (block) => {
    if (block.type === 'text' && typeof block.text === 'string') return textPart(block.text)
    if (block.type === 'image') return image(looseOf(block.source))
    return block.type === 'document' ? document(block, looseOf(block.source)) : undefined
  })
}

function image(source: Loose): ContentPart | undefined {
  if (typeof source.data === 'string') return imagePart(nameOf(source.media_type) ?? 'image/png', source.data)
  return typeof source.url === 'string' ? { type: 'image_url', image_url: { url: source.url } } : undefined
}

function document(block: Loose, source: Loose): ContentPart | undefined {
  if (source.type !== 'base64' || typeof source.data !== 'string') return undefined
  const filename = nameOf(block.title)
  const data = `data:${nameOf(source.media_type) ?? 'application/pdf'};base64,${source.data}`
  return { type: 'file', file: { file_data: data, ...(filename !== undefined && { filename }) } }
}

export function anthropicAnswer(content: unknown): AnswerBlocks {
  if (!Array.isArray(content)) return { parts: anthropicParts(content), calls: [], reasoning: [] }
  const reasoning = content.filter(isReasoning)
  const calls = content.filter(isToolUse)
  const spoken = content.filter((block) => !isReasoning(block) && !isToolUse(block))
  return {
    parts: anthropicParts(spoken),
    calls: calls.map(({ id, name, input }) =>
      functionCall(nameOf(id) ?? '', nameOf(name) ?? '', toolArguments(input)),
    ),
    reasoning,
  }
}

function isReasoning(block: unknown): block is Loose {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')
}

function isToolUse(block: unknown): block is Loose {
  return isObject(block) && block.type === 'tool_use' && nameOf(block.name) !== undefined
}

export interface AnthropicUserTurn {
  readonly results: ToolMessage[]
  readonly parts: ContentPart[]
}

export function anthropicUserTurn(content: unknown, id: string | undefined): AnthropicUserTurn {
  if (!Array.isArray(content)) return { results: [], parts: anthropicParts(content) }
  const results = content.filter(isToolResult)
  return {
    results: results.map((block) =>
      toolMessage(String(block.tool_use_id), anthropicParts(block.content), {
        id,
        isError: block.is_error === true,
      }),
    ),
    parts: anthropicParts(content.filter((block) => !isToolResult(block))),
  }
}

function isToolResult(block: unknown): block is Loose {
  return isObject(block) && block.type === 'tool_result' && typeof block.tool_use_id === 'string'
}

/**
 * True for messages of Anthropic's shape, whose calls and results are blocks of their content. A message that only fits
 * OpenAI's shape decides against it.
 */
export function isAnthropic(messages: readonly unknown[]): boolean {
  const objects = messages.filter(isObject)
  return objects.some(hasBlocks) && !objects.some(isOther)
}

function isOther({ role, content, tool_calls, providerData }: Loose): boolean {
  const isRole = role === 'user' || role === 'assistant'
  return !isRole || content === null || tool_calls !== undefined || providerData !== undefined
}

function hasBlocks({ role, content }: Loose): boolean {
  return Array.isArray(content) && content.some((block) => isObject(block) && isBlock(block, role))
}

function isBlock({ type, name, tool_use_id, source }: Loose, role: unknown): boolean {
  if (type === 'image' || type === 'document') return isObject(source) && nameOf(source.type) !== undefined
  if (role === 'user') return type === 'tool_result' && nameOf(tool_use_id) !== undefined
  return (
    (type === 'tool_use' && nameOf(name) !== undefined) || type === 'thinking' || type === 'redacted_thinking'
  )
}

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
