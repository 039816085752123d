import { MESSAGE_OVERHEAD_TOKENS, type TokenCounter } from '@palimpsest/core'
import type { BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { type Fields, isFields, listOf } from '../fields.ts'
import { fitAnchors } from '../fit-anchors.ts'
import { wireText } from '../wire-text.ts'
import { splitContent } from '../wrapped-content.ts'
import type { AnthropicRequest } from './anthropic-request.ts'
import { messageCarries, toolCarries } from './carries-marker.ts'
import { placeMarkers } from './place-markers.ts'
import { hashedText, readAnthropicBlock } from './read-anthropic-block.ts'
import { stripMarkers, withoutMarkers } from './strip-markers.ts'

/**
 * Requests to Anthropic's Messages API. A breakpoint is a `cache_control` on a tool, a text of the system prompt or
 * a block of a message. Breakpoints that the caller wrote, the automatic one included, are replaced by those of the
 * plan. `staticSystem` counts characters over the texts of the system prompt.
 */
export const anthropicWire: CacheWire<AnthropicRequest> = {
  name: 'anthropic',
  parts(request) {
    const { tools, system, messages } = request
    return {
      tools: listOf(tools),
      system: promptBlocks(system),
      messages: listOf(messages),
      firstMessage: 0,
      settings: anthropicSettings(request),
    }
  },
  readTool(tool, tokens) {
    if (!isFields(tool)) return readAnthropicBlock(tool, 'system', tokens)
    const members: Fields = tool
    const isLoaded = toolCarries(members)
    return {
      kind: 'tool',
      role: 'system',
      content: hashedText(members, 'system'),
      tokens: isLoaded ? tokens.countText(wireText(withoutMarkers(members))) : 0,
      carries: isLoaded,
    }
  },
  readSystem(system, tokens, staticSystem) {
    const blocks = splitContent(system, staticSystem ?? 0) as readonly unknown[]
    return readBlocks(blocks, 'system', tokens).map((block) =>
      block.kind === 'text' ? { ...block, kind: 'system' } : block,
    )
  },
  readMessage(message, tokens) {
    if (!isFields(message)) return []
    const members: Fields = message
    const { content } = members
    const blocks = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : content
    const read = readBlocks(Array.isArray(blocks) ? blocks : [], roleOf(members), tokens)
    return messageCarries(members) ? read : read.map((block) => ({ ...block, carries: false }))
  },
  apply(request, anchors, staticSystem) {
    const bare = stripMarkers(request)
    return placeMarkers(bare, fitAnchors(anthropicWire, bare, anchors, staticSystem), staticSystem)
  },
  strip: stripMarkers,
}

function promptBlocks(system: AnthropicRequest['system']): object | null {
  if (typeof system === 'string') return system === '' ? null : [{ type: 'text', text: system }]
  return Array.isArray(system) ? system : null
}

function readBlocks(blocks: readonly unknown[], role: BlockRole, tokens: TokenCounter): ReadBlock[] {
  return blocks.map((block, index) => {
    const read = readAnthropicBlock(block, role, tokens)
    return index === 0 && isFields(block) ? { ...read, tokens: read.tokens + MESSAGE_OVERHEAD_TOKENS } : read
  })
}

function roleOf({ role }: Fields): BlockRole {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

/**
 * The settings that decide, beside tools, system prompt and messages, whether a prompt is the same. Citations, wherever
 * they are switched on, change the system prompt; the first image changes the messages from the beginning on.
 */
function anthropicSettings(request: AnthropicRequest): CacheSettings {
  const { model, speed, tool_choice: toolChoice, thinking, output_config: output, messages } = request
  const seen = { images: false, citations: false }
  for (const message of listOf(messages)) if (isFields(message)) look(message.content, seen, 0)
  return {
    model,
    beforeSystem: defined({ speed, format: output?.format, citations: seen.citations || undefined }),
    beforeMessages: defined({ toolChoice, thinking, images: seen.images || undefined }),
    effort: output?.effort ?? null,
  }
}

/** Blocks, and the blocks in results of tools. */
function look(content: unknown, seen: { images: boolean; citations: boolean }, depth: number): void {
  if (!Array.isArray(content)) return
  for (const block of content) {
    if (!isFields(block)) continue
    if (block.type === 'image') seen.images = true
    else if (block.type === 'document' || block.type === 'search_result') {
      if (isFields(block.citations) && block.citations.enabled === true) seen.citations = true
    } else if (block.type === 'tool_result' && depth === 0) look(block.content, seen, 1)
  }
}

/** Only the settings that are set. Null when none is. */
function defined(settings: Fields): Fields | null {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null)
  return set.length === 0 ? null : Object.fromEntries(set)
}
