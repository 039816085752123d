import {
  type Message,
  type ToolCall,
  type ToolMessage,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { type Fields, isFields } from '../fields.ts'
import { readEnvelope } from '../message-envelope.ts'
import type {
  AnthropicBlock,
  AnthropicResultPart,
  AnthropicToolResult,
  AnthropicToolUse,
} from './anthropic-block.ts'
import { textBlock, toAnthropicBlock } from './to-anthropic-block.ts'

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
  // Thinking of another provider's model is not sent, and is counted nevertheless.
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

/**
 * A call of a tool as a block. Keys of the input keep the order in which the model wrote them. The API takes objects
 * only: a text that is not the JSON of one, such as the free text of a custom tool, goes as `{ "_raw": text }`. Halves
 * of surrogate pairs become U+FFFD.
 */
function toToolUse(call: ToolCall): AnthropicToolUse {
  return {
    type: 'tool_use',
    id: toolUseId(call.id),
    name: toolCallName(call),
    input: readInput(toolCallInput(call)),
  }
}

/**
 * An id as the API takes it: letters, digits, `_` and `-`. Other characters, which other providers' ids have, are
 * written as their code, so that different ids stay different.
 */
function toolUseId(id: unknown): string {
  const text = typeof id === 'string' ? id : ''
  return text === ''
    ? '_'
    : text.replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)
}

function readInput(text: string): object {
  if (text.trim() === '') return {}
  try {
    const input: unknown = HALF_PAIR.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
    return isFields(input) ? input : { _raw: text.toWellFormed() }
  } catch {
    return { _raw: text.toWellFormed() }
  }
}

/** Where half of a surrogate pair may be: written out, or as an escape. */
const HALF_PAIR = /\p{Cs}|\\u[dD][89a-fA-F]/u

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
