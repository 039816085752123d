import {
  CALL_OVERHEAD_TOKENS,
  IMAGE_TOKENS,
  isObject,
  isSummary,
  type Loose,
  MESSAGE_OVERHEAD_TOKENS,
  type TokenCounter,
} from '@palimpsest/core'
import type { BlockKind, BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { fitAnchors } from '../fit-anchors.ts'
import { listOf } from '../lists.ts'
import { mediaTokens, wireText } from '../wire-text.ts'
import { splitContent } from '../wrapped-content.ts'
import type { AnthropicRequest } from './anthropic-request.ts'
import { blockCarries, messageCarries, toolCarries } from './carries-marker.ts'
import { placeMarkers } from './place-markers.ts'
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
    if (!isObject(tool)) return readAnthropicBlock(tool, 'system', tokens)
    const members: Loose = tool
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
    if (!isObject(message)) return []
    const members: Loose = message
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
    return index === 0 && isObject(block) ? { ...read, tokens: read.tokens + MESSAGE_OVERHEAD_TOKENS } : read
  })
}

function roleOf({ role }: Loose): BlockRole {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

/**
 * The settings that decide, beside tools, system prompt and messages, whether a prompt is the same. Citations, wherever
 * they are switched on, change the system prompt; the first image changes the messages from the beginning on.
 */
function anthropicSettings(request: AnthropicRequest): CacheSettings {
  const { model, speed, tool_choice: toolChoice, thinking, output_config: output, messages } = request
  const seen = { images: false, citations: false }
  for (const message of listOf(messages)) if (isObject(message)) look(message.content, seen, 0)
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
    if (!isObject(block)) continue
    if (block.type === 'image') seen.images = true
    else if (block.type === 'document' || block.type === 'search_result') {
      if (isObject(block.citations) && block.citations.enabled === true) seen.citations = true
    } else if (block.type === 'tool_result' && depth === 0) look(block.content, seen, 1)
  }
}

/** Only the settings that are set. Null when none is. */
function defined(settings: Loose): Loose | null {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null)
  return set.length === 0 ? null : Object.fromEntries(set)
}

/**
 * Blocks of server tools are `other`: runs of the host's calls and results are known to count as one position, of
 * those of the server nothing is known.
 */
const KINDS: Readonly<Record<string, BlockKind>> = {
  text: 'text',
  image: 'image',
  document: 'document',
  search_result: 'document',
  thinking: 'thinking',
  redacted_thinking: 'thinking',
  tool_use: 'tool-use',
  tool_result: 'tool-result',
  compaction: 'compaction',
}

/** One block of a message of this role. */
function readAnthropicBlock(block: unknown, role: BlockRole, tokens: TokenCounter): ReadBlock {
  if (!isObject(block)) return { kind: 'other', role, content: wireText(block), tokens: 0, carries: false }
  const kind = kindOf(block)
  return {
    kind,
    role: kind === 'tool-result' ? 'tool' : role,
    content: hashedText(block, role),
    tokens: blockTokens(block, tokens),
    carries: blockCarries(block),
    ...((kind === 'compaction' || isSummaryText(block, role)) && { isSummary: true }),
  }
}

/**
 * The hashed text of a tool or a block: its members in one order, whatever order they were written in, and what they
 * hold as it is, because the order of keys in the input of a tool is the model's.
 */
function hashedText(value: Loose, role: BlockRole): string {
  const members = Object.entries(withoutMarkers(value)).filter(([, member]) => member !== undefined)
  return `${role} ${wireText(members.sort(([a], [b]) => (a < b ? -1 : 1)))}`
}

function kindOf({ type }: Loose): BlockKind {
  return typeof type === 'string' && Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'other') : 'other'
}

function isSummaryText({ type, text }: Loose, role: BlockRole): boolean {
  return type === 'text' && role === 'user' && typeof text === 'string' && isSummary({ role, content: text })
}

/** Deeper than blocks stand in blocks. */
const DEEPEST = 8

function blockTokens(block: Loose, tokens: TokenCounter, depth = 0): number {
  if (depth > DEEPEST) return 0
  switch (block.type) {
    case 'text':
      return tokens.countText(textOf(block.text))
    case 'thinking':
      return tokens.countText(textOf(block.thinking))
    case 'image':
      return IMAGE_TOKENS
    case 'document':
      return documentTokens(block, tokens, depth)
    case 'tool_use':
      return (
        CALL_OVERHEAD_TOKENS + tokens.countText(textOf(block.name)) + tokens.countText(wireText(block.input))
      )
    case 'tool_result':
      return CALL_OVERHEAD_TOKENS + contentTokens(block.content, tokens, depth)
    default:
      return tokens.countText(wireText(withoutMarkers(block)))
  }
}

function documentTokens({ source, title }: Loose, tokens: TokenCounter, depth: number): number {
  const { type, data, content } = isObject(source) ? source : {}
  const own = tokens.countText(textOf(title))
  if (type === 'text') return own + tokens.countText(textOf(data))
  if (type === 'content') return own + contentTokens(content, tokens, depth)
  // Without its bytes a document's size is not known.
  if (typeof data !== 'string') return own + IMAGE_TOKENS
  return own + mediaTokens('document', data, undefined, tokens)
}

function contentTokens(content: unknown, tokens: TokenCounter, depth: number): number {
  if (typeof content === 'string') return tokens.countText(content)
  if (!Array.isArray(content)) return 0
  let sum = 0
  for (const part of content) if (isObject(part)) sum += blockTokens(part, tokens, depth + 1)
  return sum
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
