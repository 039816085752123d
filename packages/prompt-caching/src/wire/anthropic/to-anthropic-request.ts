import {
  type CacheAnchor,
  type CachePlan,
  type CacheRef,
  isInstruction,
  type Message,
  type ToolSchema,
} from '@palimpsest/core'
import { splitContent, toParts } from '../openai-messages/wrapped-content.ts'
import type { AnthropicBlock, AnthropicText } from './anthropic-block.ts'
import type { AnthropicRequest, AnthropicTool } from './anthropic-request.ts'
import { placeMarkers } from './place-markers.ts'
import { textBlock } from './to-anthropic-block.ts'
import { toAnthropicBlocks } from './to-anthropic-message.ts'

export interface ToAnthropicInput {
  /** A valid sequence: every call with its result behind it. The system prompt first, if there is one. */
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  /** Its refs are of `messages` and `tools`. */
  readonly plan?: CachePlan
  /** Characters of the system prompt that are a block of their own. Default: it is one block. */
  readonly staticSystem?: number
}

export type AnthropicPrompt = Pick<AnthropicRequest, 'system' | 'tools' | 'messages'>

/**
 * Our messages as Anthropic's, with the breakpoints of a plan. Content is always a list of blocks, so that a
 * breakpoint changes no byte beside itself. Results of tools that follow each other are one user message, as the
 * API demands for parallel calls; a user message behind them stays its own (the API joins the two), so that a
 * message never moves into another one as the conversation grows. Never throws: what the API would refuse, such as
 * blank texts and messages of nothing else, is left out. Names of speakers are left out too: there is no field.
 */
export function toAnthropicRequest(input: ToAnthropicInput): AnthropicPrompt {
  const { messages, tools = [], plan, staticSystem } = input
  const [first] = messages
  const refs = new Map<string, CacheRef>()
  const system = isInstruction(first) ? systemBlocks(first.content, staticSystem, refs) : []
  const prompt: AnthropicPrompt = {
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools: tools.map(toAnthropicTool) }),
    messages: toMessages(messages, isInstruction(first) ? 1 : 0, refs),
  }
  const anchors = (plan?.anchors ?? []).flatMap((anchor) => renumber(anchor, refs))
  const { max_tokens: _, model: __, ...marked } = placeMarkers({ ...NO_MODEL, ...prompt }, anchors)
  return marked
}

/** What a prompt lacks to be a request. */
const NO_MODEL = { model: '', max_tokens: 0 } as const

function systemBlocks(
  content: unknown,
  staticSystem: number | undefined,
  refs: Map<string, CacheRef>,
): AnthropicText[] {
  const blocks: AnthropicText[] = []
  for (const [number, part] of toParts(splitContent(content, staticSystem ?? 0)).entries()) {
    const block = textBlock((part as { text?: unknown } | null)?.text)
    if (block?.type !== 'text') continue
    refs.set(keyOf({ at: 'system', block: number }), { at: 'system', block: blocks.length })
    blocks.push(block)
  }
  return blocks
}

/** `refs` gets where each block of ours went. */
function toMessages(messages: readonly Message[], start: number, refs: Map<string, CacheRef>) {
  const converted: AnthropicRequest['messages'] = []
  for (let index = start; index < messages.length; index++) {
    const message = messages[index] as Message
    const numbered = toAnthropicBlocks(message)
    if (numbered.length === 0) continue
    const continues = message.role === 'tool' && messages[index - 1]?.role === 'tool' && converted.length > 0
    if (!continues) converted.push({ role: roleOf(message), content: [] })
    const content = converted.at(-1)?.content as AnthropicBlock[]
    for (const { number, block } of numbered) {
      if (number !== null)
        refs.set(keyOf({ at: 'message', index, block: number }), {
          at: 'message',
          index: converted.length - 1,
          block: content.length,
        })
      content.push(block)
    }
  }
  return converted
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

function renumber(anchor: CacheAnchor, refs: ReadonlyMap<string, CacheRef>): CacheAnchor[] {
  const ref = anchor.ref.at === 'tool' ? anchor.ref : refs.get(keyOf(anchor.ref))
  return ref === undefined ? [] : [{ ...anchor, ref }]
}

function keyOf(ref: Exclude<CacheRef, { at: 'tool' }>): string {
  return ref.at === 'system' ? `system ${ref.block}` : `${ref.index} ${ref.block}`
}
