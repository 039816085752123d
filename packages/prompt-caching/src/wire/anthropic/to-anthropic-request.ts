import { Buffer } from 'node:buffer'
import {
  type CachePlan,
  isBridge,
  isInstruction,
  isObject,
  type Loose,
  looseOf,
  type Message,
  type ToolCall,
  type ToolMessage,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { hasText, listOf, partsOf } from '../content.ts'
import { openaiMessagesWire } from '../openai-messages/openai-messages-wire.ts'
import { blockCarries, withoutMarkers } from './anthropic-blocks.ts'
import type {
  AnthropicBlock,
  AnthropicPrompt,
  AnthropicText,
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
} from './anthropic-types.ts'

export interface ToAnthropicInput {
  /** A valid sequence: every call with its result after it, the system prompt, if any, first. */
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  /** The cache plan for the messages. Default: no breakpoints. */
  readonly cache?: CachePlan | null
}

/**
 * Converts messages of `session.prepare` to Anthropic's, with the breakpoints of their plan. Content is always a list
 * of blocks, so that a breakpoint changes no other byte. Adjacent tool results become one user message, as the API
 * requires for parallel calls; a following user message stays separate, so that no message moves as the conversation
 * grows. Never throws: content that the API would refuse, such as blank texts or trailing thinking, is left out, and so
 * are speakers' names; `messages` may be empty.
 */
export function toAnthropicRequest({ cache, ...input }: ToAnthropicInput): AnthropicPrompt {
  const native = openaiMessagesWire('native')
  const marked = native.apply(input, cache)
  const tools = listOf(marked.tools).filter((tool) => isObject(tool) && isObject(tool.function))
  const messages = listOf(marked.messages)
  const [first] = messages
  const hasSystem = isObject(first) && isInstruction(first)
  const system = hasSystem ? partsOf(first.content).map(toTextBlock).filter(isBlock) : []
  return {
    ...(system.length > 0 && { system: system as AnthropicText[] }),
    ...(tools.length > 0 && { tools: tools.map(toAnthropicTool) }),
    messages: toMessages(hasSystem ? messages.slice(1) : messages),
  }
}

function beginning([summary, next, after]: readonly Message[]) {
  const { compaction } = anthropicData(summary)
  if (summary === undefined || !isObject(compaction)) return undefined
  const taken = isBridge(next) ? 2 : 1
  const role = (taken === 2 ? after : next)?.role === 'user' ? ('assistant' as const) : ('user' as const)
  const block = { ...compaction, ...markerOf(partsOf(summary.content).at(-1) ?? {}), ...markerOf(summary) }
  return { taken, turn: { role, content: [block as unknown as AnthropicBlock] } }
}

function toMessages(all: readonly Message[]): AnthropicPrompt['messages'] {
  const begun = beginning(all)
  const messages = begun === undefined ? all : all.slice(begun.taken)
  const converted: { role: 'user' | 'assistant' | 'system'; content: AnthropicBlock[] }[] =
    begun === undefined ? [] : [begun.turn]
  for (const [index, message] of messages.entries()) {
    const blocks = isObject(message) ? toBlocks(message) : []
    if (blocks.length === 0) continue
    const before = converted.at(-1)
    if (message.role === 'tool' && messages[index - 1]?.role === 'tool' && before !== undefined)
      before.content.push(...blocks)
    else converted.push({ role: roleOf(message), content: blocks })
  }
  return converted as AnthropicPrompt['messages']
}

function roleOf({ role }: Message): 'user' | 'assistant' | 'system' {
  if (role === 'assistant') return 'assistant'
  return role === 'system' || role === 'developer' ? 'system' : 'user'
}

function toAnthropicTool(tool: ToolSchema): AnthropicTool {
  const { name, description, parameters = {} } = tool.function
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: { ...parameters, type: 'object' },
    ...markerOf(tool),
  }
}

function toBlocks(message: Message): AnthropicBlock[] {
  if (message.role === 'tool') return [{ ...toToolResult(message), ...markerOf(message) }]
  const slots = partsOf(message.content).map(toAnthropicBlock)
  if (message.role === 'assistant') {
    const refusal = textBlock(message.refusal)
    if (refusal !== null) slots.push(refusal)
    const calls = toolCallsOf(message)
    const uses = calls.map((call, index) => {
      const marker = index === calls.length - 1 ? markerOf(message) : {}
      return { before: placeOf(call, slots.length), block: { ...toToolUse(call), ...marker } }
    })
    const thinking = reasoningOf(message).map((part) => ({
      before: placeOf(part, 0),
      block: toAnthropicBlock(part),
    }))
    // Inserts from the last, so that earlier positions stay valid.
    for (const { before, block } of [...thinking, ...uses].reverse()) slots.splice(before, 0, block)
  }
  const blocks = slots.filter(isBlock)
  // The API refuses a message that ends with thinking, such as an answer that was cut off there.
  while (isThinking(blocks.at(-1))) blocks.pop()
  return blocks
}

function isBlock(block: AnthropicBlock | null): block is AnthropicBlock {
  return block !== null
}

function markerOf(holder: object): Pick<AnthropicText, 'cache_control'> {
  const { cache_control: marker } = looseOf(holder)
  return marker === undefined ? {} : { cache_control: marker as { type: 'ephemeral' } }
}

function placeOf(holder: unknown, usual: number): number {
  const { before } = anthropicData(holder)
  return typeof before === 'number' ? before : usual
}

function anthropicData(holder: unknown): Loose {
  return looseOf(looseOf(looseOf(holder).providerData).anthropic)
}

function reasoningOf(message: Message): readonly unknown[] {
  const { reasoning } = anthropicData(message)
  return Array.isArray(reasoning) ? reasoning.filter(isThinking) : []
}

function isThinking(block: unknown): boolean {
  const { type } = looseOf(block)
  return type === 'thinking' || type === 'redacted_thinking'
}

const RESULT_PARTS: ReadonlySet<string> = new Set(['text', 'image', 'document', 'search_result'])

function toToolResult({ tool_call_id: id, content }: ToolMessage): AnthropicToolResult {
  const parts = partsOf(content)
    .map(toAnthropicBlock)
    .filter((block) => block !== null && RESULT_PARTS.has(block.type)) as AnthropicText[]
  const [only] = parts
  const bare = parts.length === 1 && only?.type === 'text' ? only.text : parts
  return { type: 'tool_result', tool_use_id: toolUseId(id), ...(parts.length > 0 && { content: bare }) }
}

/**
 * A tool call as a block. Keys of the input keep their order. The API takes only objects, so other text, such as a
 * custom tool's, is sent as `{ "_raw": text }`.
 */
function toToolUse(call: ToolCall): AnthropicToolUse {
  const input = readInput(toolCallInput(call))
  return { type: 'tool_use', id: toolUseId(call.id), name: toolCallName(call), input }
}

/**
 * The API allows letters, digits, `_` and `-`. Other characters are written as their code, so that different ids stay
 * different.
 */
function toolUseId(id: unknown): string {
  const text = typeof id === 'string' ? id : ''
  return text === ''
    ? '_'
    : text.replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)
}

/** Lone surrogates, which the API refuses, become U+FFFD. */
function readInput(text: string): object {
  if (text.trim() === '') return {}
  try {
    const input: unknown = HALF_PAIR.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
    return isObject(input) ? input : { _raw: text.toWellFormed() }
  } catch {
    return { _raw: text.toWellFormed() }
  }
}

/** Matches a possible lone surrogate, literal or escaped. */
const HALF_PAIR = /\p{Cs}|\\u[dD][89a-fA-F]/u

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/**
 * A content part as a block; null for one that the API refuses: blank texts, parts of other providers. Media that
 * Claude cannot read become a text that names them. Anthropic's own blocks pass through.
 */
function toAnthropicBlock(part: unknown): AnthropicBlock | null {
  if (!isObject(part)) return null
  const block = toBareBlock(part)
  return block && ({ ...block, ...markerOf(part) } as AnthropicBlock)
}

function toTextBlock(part: unknown): AnthropicBlock | null {
  return looseOf(part).type === 'text' ? toAnthropicBlock(part) : null
}

function toBareBlock(part: Loose): AnthropicBlock | null {
  switch (part.type) {
    case 'text':
      return textBlock(part.text)
    case 'refusal':
      return textBlock(part.refusal)
    case 'image_url':
      return imageBlock(looseOf(part.image_url).url)
    case 'file':
      return fileBlock(looseOf(part.file))
    case 'input_audio':
      return leftOut('audio')
    default: {
      const { providerData: _, ...block } = withoutMarkers(part)
      return isOwnBlock(block) ? (block as unknown as AnthropicBlock) : null
    }
  }
}

/** Null for a blank text. Lone surrogates, which the API also refuses, become U+FFFD. */
function textBlock(text: unknown): AnthropicBlock | null {
  return typeof text === 'string' && hasText(text) ? { type: 'text', text: text.toWellFormed() } : null
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function imageBlock(url: unknown): AnthropicBlock {
  if (typeof url !== 'string') return leftOut('image')
  const data = dataUrl(url)
  if (data === undefined)
    return /^https?:/i.test(url) ? { type: 'image', source: { type: 'url', url } } : leftOut('image')
  if (!data.isBase64 || !IMAGE_TYPES.has(data.mediaType)) return leftOut(`image of type ${data.mediaType}`)
  const mediaType = data.mediaType as 'image/png'
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: data.data } }
}

function fileBlock({ file_data: content, file_id: id, filename }: Loose): AnthropicBlock {
  const title = typeof filename === 'string' && filename !== '' ? { title: filename.toWellFormed() } : {}
  if (typeof id === 'string' && id !== '')
    return { type: 'document', source: { type: 'file', file_id: id }, ...title }
  if (typeof content !== 'string' || content === '') return leftOut('file')
  const pdf = { data: content, mediaType: 'application/pdf', isBase64: true }
  const { data, mediaType, isBase64 } = dataUrl(content) ?? pdf
  if (isBase64 && mediaType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title }
  if (!isBase64 || !mediaType.startsWith('text/')) return leftOut(`file of type ${mediaType}`)
  const text = Buffer.from(data, 'base64').toString('utf8')
  if (!hasText(text)) return leftOut('file')
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }
}

function leftOut(what: string): AnthropicBlock {
  return { type: 'text', text: `[${what.slice(0, 80)} left out: Claude models do not take it]` }
}

function isOwnBlock({ type, thinking, signature, data, ...block }: Loose): boolean {
  // Signed thinking that is not well-formed was damaged and would not verify.
  if (type === 'thinking')
    return hasText(signature) && typeof thinking === 'string' && thinking.isWellFormed()
  if (type === 'redacted_thinking') return hasText(data)
  return type !== 'tool_use' && type !== 'tool_result' && blockCarries({ type, ...block })
}

interface DataUrl {
  readonly mediaType: string
  readonly isBase64: boolean
  readonly data: string
}

function dataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  if (comma === -1 || url.slice(0, 5).toLowerCase() !== 'data:') return undefined
  const [mediaType = '', ...parameters] = url.slice(5, comma).toLowerCase().split(';')
  return { mediaType, isBase64: parameters.at(-1) === 'base64', data: url.slice(comma + 1) }
}
