import type { ContentPart, ToolCall, ToolMessage } from '@palimpsest/core'
import { functionCall, textPart, toolMessage } from '../build-message.ts'
import { isObject, type JsonObject, nameOf, objectOf } from '../json.ts'
import { imagePart, recordedParts } from '../recorded-parts.ts'
import { toolArguments } from '../tool-arguments.ts'

/** Text, image and document blocks of Anthropic's Messages API as parts; other blocks are kept as they are. */
export function anthropicParts(content: unknown): ContentPart[] {
  return recordedParts(content, (block) => {
    if (block.type === 'text' && typeof block.text === 'string') return textPart(block.text)
    if (block.type === 'image') return image(objectOf(block.source))
    return block.type === 'document' ? document(block, objectOf(block.source)) : undefined
  })
}

function image(source: JsonObject): ContentPart | undefined {
  if (typeof source.data === 'string') return imagePart(nameOf(source.media_type) ?? 'image/png', source.data)
  return typeof source.url === 'string' ? { type: 'image_url', image_url: { url: source.url } } : undefined
}

function document(block: JsonObject, source: JsonObject): ContentPart | undefined {
  if (source.type !== 'base64' || typeof source.data !== 'string') return undefined
  const filename = nameOf(block.title)
  const data = `data:${nameOf(source.media_type) ?? 'application/pdf'};base64,${source.data}`
  return { type: 'file', file: { file_data: data, ...(filename !== undefined && { filename }) } }
}

/** The content of an answer, sorted. */
export interface AnthropicAnswer {
  readonly parts: ContentPart[]
  readonly calls: ToolCall[]
  readonly reasoning: JsonObject[]
}

export function anthropicAnswer(content: unknown): AnthropicAnswer {
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

function isReasoning(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')
}

function isToolUse(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'tool_use' && nameOf(block.name) !== undefined
}

/** The content of a user turn, sorted: the results of the calls before it, and what the user said. */
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

function isToolResult(block: unknown): block is JsonObject {
  return isObject(block) && block.type === 'tool_result' && typeof block.tool_use_id === 'string'
}
