import {
  type CachePlan,
  type CacheRef,
  isInstruction,
  isObject,
  type Loose,
  type Message,
  type ToolCall,
  type ToolMessage,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { fitAnchors } from '../fit-anchors.ts'
import { listOf } from '../lists.ts'
import { readEnvelope } from '../message-envelope.ts'
import { partsOf, splitContent, toParts } from '../wrapped-content.ts'
import type {
  AnthropicBlock,
  AnthropicResultPart,
  AnthropicText,
  AnthropicToolResult,
  AnthropicToolUse,
} from './anthropic-block.ts'
import type { AnthropicMessage, AnthropicSystemMessage, AnthropicTool } from './anthropic-request.ts'
import { anthropicWire } from './anthropic-wire.ts'
import { placeMarkers } from './place-markers.ts'
import { textBlock, toAnthropicBlock } from './to-anthropic-block.ts'

export interface ToAnthropicInput {
  /** A valid sequence: every call with its result behind it. The system prompt first, if there is one. */
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  /** The plan for them. Default: no breakpoints. */
  readonly cache?: CachePlan | null
}

/** To be spread into the parameters of the SDK's `messages.create`. */
export interface AnthropicPrompt {
  system?: AnthropicText[]
  tools?: AnthropicTool[]
  messages: (AnthropicMessage | AnthropicSystemMessage)[]
}

/**
 * Messages of `session.prepare` as Anthropic's, with the breakpoints of their plan. Content is always a list of
 * blocks, so that a breakpoint changes no byte beside itself. Neighbouring results of tools are one user message, as
 * the API demands for parallel calls; a user message behind them stays its own, so that no message moves as the
 * conversation grows. It never throws: what the API would refuse, such as blank texts or thinking at the end of a
 * message, is left out, and so are names of speakers; `messages` may come out empty.
 */
export function toAnthropicRequest(input: ToAnthropicInput): AnthropicPrompt {
  const { cache } = input
  const messages = listOf(input.messages)
  const tools = listOf(input.tools)
  const named = tools.filter((tool) => isObject(tool) && isObject(tool.function))
  const first = messages[0] ?? undefined
  const hasSystem = isInstruction(first)
  const system = hasSystem ? systemBlocks(first.content, cache?.staticSystem) : []
  const { converted, places } = toMessages(messages, hasSystem ? 1 : 0)
  const prompt: AnthropicPrompt = {
    ...(system.length > 0 && { system: system.map(({ block }) => block as AnthropicText) }),
    ...(named.length > 0 && { tools: named.map(toAnthropicTool) }),
    messages: converted,
  }
  const anchors = (cache?.anchors ?? []).flatMap((anchor) => {
    const ref =
      anchor.ref.at === 'tool'
        ? toolRef(tools[anchor.ref.index], named)
        : renumber(anchor.ref, system, places)
    return ref === undefined ? [] : [{ ...anchor, ref }]
  })
  return placeMarkers(prompt, fitAnchors(anthropicWire, { ...NO_MODEL, ...prompt }, anchors))
}

/** The members that a prompt lacks to be a request. */
const NO_MODEL = { model: '', max_tokens: 0 } as const

function systemBlocks(content: unknown, staticSystem: number | undefined): NumberedBlock[] {
  return toParts(splitContent(content, staticSystem ?? 0)).flatMap((part, number) => {
    const block = textBlock(isObject(part) ? part.text : undefined)
    return block === null ? [] : [{ number, block }]
  })
}

/** Where the blocks of one of our messages went. */
interface Place {
  readonly index: number
  /** The number of blocks before them in it. */
  readonly start: number
  readonly numbered: readonly NumberedBlock[]
}

/** Places are by the index of our message; one of which nothing is left has none. */
function toMessages(messages: readonly Message[], start: number) {
  const converted: AnthropicPrompt['messages'] = []
  const places: (Place | undefined)[] = []
  for (let index = start; index < messages.length; index++) {
    const message = messages[index]
    if (!isObject(message)) continue
    const numbered = toAnthropicBlocks(message)
    if (numbered.length === 0) continue
    const continues = message.role === 'tool' && messages[index - 1]?.role === 'tool' && converted.length > 0
    if (!continues) converted.push({ role: roleOf(message), content: [] })
    const content = converted.at(-1)?.content as AnthropicBlock[]
    places[index] = { index: converted.length - 1, start: content.length, numbered }
    for (const { block } of numbered) content.push(block)
  }
  return { converted, places }
}

function roleOf({ role }: Message): 'user' | 'assistant' | 'system' {
  if (role === 'assistant') return 'assistant'
  return role === 'system' || role === 'developer' ? 'system' : 'user'
}

function toAnthropicTool({ function: schema }: ToolSchema): AnthropicTool {
  const { name, description, parameters = {} } = schema
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: { ...parameters, type: 'object' },
  }
}

function toolRef(tool: ToolSchema | undefined, named: readonly ToolSchema[]): CacheRef | undefined {
  const index = tool === undefined ? -1 : named.indexOf(tool)
  return index === -1 ? undefined : { at: 'tool', index }
}

/** Anthropic's number for a block of ours; undefined for one that was left out. */
function renumber(
  ref: Exclude<CacheRef, { readonly at: 'tool' }>,
  system: readonly NumberedBlock[],
  places: readonly (Place | undefined)[],
): CacheRef | undefined {
  const place = ref.at === 'system' ? { index: 0, start: 0, numbered: system } : places[ref.index]
  const offset = place?.numbered.findIndex(({ number }) => number === ref.block) ?? -1
  if (place === undefined || offset === -1) return undefined
  const block = place.start + offset
  return ref.at === 'system' ? { at: 'system', block } : { at: 'message', index: place.index, block }
}

/** A block, and the number that it has among the blocks of our message; null for one that is not counted there. */
interface NumberedBlock {
  readonly number: number | null
  readonly block: AnthropicBlock
}

/** The blocks of a message that is no system prompt, those of an answer in the order in which they came. */
function toAnthropicBlocks(message: Message): NumberedBlock[] {
  if (message.role === 'tool') return [{ number: 0, block: toToolResult(message) }]
  // Thinking of another provider's model is not sent, and is counted nevertheless.
  const hasThinking =
    message.providerData !== undefined && readEnvelope(message as unknown as Loose).thinking !== undefined
  let number = hasThinking ? 1 : 0
  const slots: Slot[] = partsOf(message.content).map((part) => ({
    number: number++,
    block: toAnthropicBlock(part),
  }))
  if (message.role === 'assistant') {
    const refusal = textBlock(message.refusal)
    if (refusal !== null) slots.push({ number: null, block: refusal })
    const calls = toolCallsOf(message).map((call) => ({
      before: placeOf(call, slots.length),
      slot: { number: number++, block: toToolUse(call) },
    }))
    const thinking = reasoningOf(message).map((part) => ({
      before: placeOf(part, 0),
      slot: { number: null, block: toAnthropicBlock(part) },
    }))
    // From the last, so that no place before it moves.
    for (const { before, slot } of [...thinking, ...calls].reverse()) slots.splice(before, 0, slot)
  }
  const blocks = slots.filter((slot): slot is NumberedBlock => slot.block !== null)
  // The API takes no message that ends in thinking, such as an answer that was cut off there.
  while (isThinking(blocks.at(-1)?.block)) blocks.pop()
  return blocks
}

/** A block before it is known whether the API takes it. */
type Slot = Omit<NumberedBlock, 'block'> & { readonly block: AnthropicBlock | null }

/** The number of blocks before a call or thinking, where `fromAnthropicResponse` wrote one. */
function placeOf(holder: unknown, usual: number): number {
  const { before } = anthropicData(holder)
  return typeof before === 'number' ? before : usual
}

function anthropicData(holder: unknown): Loose {
  const data = isObject(holder) && isObject(holder.providerData) ? holder.providerData.anthropic : undefined
  return isObject(data) ? data : {}
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

/** Thinking as it was written. */
function reasoningOf(message: Message): readonly unknown[] {
  const { reasoning } = anthropicData(message)
  return Array.isArray(reasoning) ? reasoning.filter(isThinking) : []
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')
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
    return isObject(input) ? input : { _raw: text.toWellFormed() }
  } catch {
    return { _raw: text.toWellFormed() }
  }
}

/** Where half of a surrogate pair may be: written out, or as an escape. */
const HALF_PAIR = /\p{Cs}|\\u[dD][89a-fA-F]/u

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
