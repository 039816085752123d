import { type CachePlan, type CacheRef, isInstruction, type Message, type ToolSchema } from '@palimpsest/core'
import { isFields, listOf } from '../fields.ts'
import { fitAnchors } from '../fit-anchors.ts'
import { splitContent, toParts } from '../wrapped-content.ts'
import type { AnthropicBlock, AnthropicText } from './anthropic-block.ts'
import type { AnthropicMessage, AnthropicSystemMessage, AnthropicTool } from './anthropic-request.ts'
import { anthropicWire } from './anthropic-wire.ts'
import { placeMarkers } from './place-markers.ts'
import { textBlock } from './to-anthropic-block.ts'
import { type NumberedBlock, toAnthropicBlocks } from './to-anthropic-message.ts'

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
 * conversation grows. It never throws: what the API would refuse, such as blank texts, is left out, and so are names
 * of speakers; `messages` may come out empty.
 */
export function toAnthropicRequest(input: ToAnthropicInput): AnthropicPrompt {
  const { cache } = input
  const messages = listOf(input.messages)
  const tools = listOf(input.tools)
  const named = tools.filter((tool) => isFields(tool) && isFields(tool.function))
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
    const block = textBlock(isFields(part) ? part.text : undefined)
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
    if (!isFields(message)) continue
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
