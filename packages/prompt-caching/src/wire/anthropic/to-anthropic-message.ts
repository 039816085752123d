import { type Message, type ToolMessage, toolCallsOf } from '@palimpsest/core'
import { type Fields, isFields } from '../fields.ts'
import { readEnvelope } from '../message-envelope.ts'
import type { AnthropicBlock, AnthropicResultPart, AnthropicToolResult } from './anthropic-block.ts'
import { textBlock, toAnthropicBlock } from './to-anthropic-block.ts'
import { toolUseId, toToolUse } from './to-tool-use.ts'

/** A block, and the number that it has among the blocks of our message; null for one that is not counted there. */
export interface NumberedBlock {
  readonly number: number | null
  readonly block: AnthropicBlock
}

/** The blocks of a message that is no system prompt: reasoning as it was written, content, refusal, calls. */
export function toAnthropicBlocks(message: Message): NumberedBlock[] {
  if (message.role === 'tool') return [{ number: 0, block: toToolResult(message) }]
  const thinking = message.role === 'assistant' ? reasoningOf(message) : []
  const blocks: NumberedBlock[] = thinking.map((block) => ({ number: null, block }))
  // What another provider's model thought is not sent, and is counted nevertheless.
  const hasThinking =
    message.providerData !== undefined && readEnvelope(message as unknown as Fields).thinking !== undefined
  let number = hasThinking ? 1 : 0
  for (const part of partsOf(message.content)) push(blocks, number++, toAnthropicBlock(part))
  if (message.role !== 'assistant') return blocks
  push(blocks, null, textBlock(message.refusal))
  for (const call of toolCallsOf(message)) push(blocks, number++, toToolUse(call))
  return blocks
}

function toToolResult({ tool_call_id: id, content }: ToolMessage): AnthropicToolResult {
  const parts = partsOf(content).map(toAnthropicBlock).filter(isResultPart)
  const [only] = parts
  const bare = parts.length === 1 && only?.type === 'text' ? only.text : parts
  return { type: 'tool_result', tool_use_id: toolUseId(id), ...(parts.length > 0 && { content: bare }) }
}

const RESULT_PARTS: ReadonlySet<string> = new Set(['text', 'image', 'document', 'search_result'])

function isResultPart(block: AnthropicBlock | null): block is AnthropicResultPart & AnthropicBlock {
  return block !== null && RESULT_PARTS.has(block.type)
}

/** Thinking that the API will accept again: with its signature, byte for byte. */
function reasoningOf(message: Message): AnthropicBlock[] {
  const data: unknown = message.providerData?.anthropic
  const reasoning: unknown = isFields(data) ? data.reasoning : undefined
  if (!Array.isArray(reasoning)) return []
  return reasoning
    .filter((block) => isFields(block) && (block.type === 'thinking' || block.type === 'redacted_thinking'))
    .map(toAnthropicBlock)
    .filter((block) => block !== null)
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

function push(blocks: NumberedBlock[], number: number | null, block: AnthropicBlock | null): void {
  if (block !== null) blocks.push({ number, block })
}
