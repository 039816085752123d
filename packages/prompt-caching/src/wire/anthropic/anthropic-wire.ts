import {
  CALL_OVERHEAD_TOKENS,
  IMAGE_TOKENS,
  isObject,
  type Loose,
  looseOf,
  MESSAGE_OVERHEAD_TOKENS,
  type TokenCounter,
} from '@palimpsest/core'
import type { BlockKind, BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import { anchorsByPlace, type BlockTtls, type CacheWire, cacheControl, changeAt } from '../cache-wire.ts'
import { hasText, listOf, mapShared, partsOf, splitParts, without } from '../content.ts'
import { wireText } from '../wire-text.ts'
import type { AnthropicRequest } from './anthropic-types.ts'

/**
 * The wire format of Anthropic's Messages API. A breakpoint is a `cache_control` on a tool, a text of the system prompt
 * or a block of a message. The caller's own breakpoints, including the automatic one, are replaced by the plan's.
 * `staticSystem` counts characters over the texts of the system prompt.
 */
export const anthropicWire: CacheWire<AnthropicRequest> = {
  parts({ tools, system, messages }) {
    const blocks = partsOf(system)
    return {
      tools: listOf(tools),
      system: blocks.length === 0 ? null : blocks,
      messages: listOf(messages),
      firstMessage: 0,
    }
  },
  readTool(tool, tokens) {
    const content = wireText(withoutMarkers(tool))
    const isLoaded = toolCarries(tool)
    return {
      kind: 'other',
      role: 'system',
      content,
      tokens: isLoaded ? tokens.countText(content) : 0,
      carries: isLoaded,
    }
  },
  readSystem: (system, tokens, staticSystem) =>
    readBlocks(splitParts(system as readonly unknown[], staticSystem), 'system', tokens),
  readMessage(message, tokens) {
    const { role, content } = looseOf(message)
    const speaker = role === 'assistant' || role === 'system' ? role : 'user'
    const blocks = readBlocks(partsOf(content), speaker, tokens)
    return messageCarries(message) ? blocks : blocks.map((block) => ({ ...block, carries: false }))
  },
  apply(request, anchors, staticSystem) {
    const { tools, system, messages } = anchorsByPlace(anchors)
    const { cache_control: _, ...bare } = request as typeof request & { readonly cache_control?: unknown }
    const bareTools = mapShared(listOf(request.tools), (tool) => withoutMarkers(tool))
    const bareMessages = mapShared<object>(listOf(request.messages), withoutMarkers)
    const blocks = splitParts(withoutMarkers(partsOf(request.system)), staticSystem)
    const isText = typeof request.system === 'string' && blocks.length === 1 && system.size === 0
    const marked = {
      ...bare,
      ...(request.tools && {
        tools: changeAt(bareTools, tools, (tool, ttl) =>
          toolCarries(tool) ? { ...tool, cache_control: cacheControl(ttl) } : tool,
        ),
      }),
      ...(request.system && !isText && { system: markBlocks(blocks, system) }),
      messages: changeAt(bareMessages, messages, (message, ttls) =>
        messageCarries(message)
          ? { ...message, content: markBlocks(partsOf(looseOf(message).content), ttls) }
          : message,
      ),
    }
    // Marking keeps a value's type.
    return marked as unknown as typeof request
  },
}

/**
 * Blocks with `cache_control` in the SDK's types. Thinking and unknown kinds carry none, because a refused request
 * costs more than an uncached one.
 */
const CARRIERS: ReadonlySet<unknown> = new Set([
  ...['image', 'document', 'search_result', 'tool_use', 'tool_result', 'container_upload'],
  ...['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'tool_search_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result'],
  'text_editor_code_execution_tool_result',
  ...['mcp_tool_use', 'mcp_tool_result', 'advisor_tool_result'],
])

export function blockCarries(block: Loose): boolean {
  if (block.type === 'text') return hasText(block.text)
  // A failed compaction has no text, and the API skips it.
  if (block.type === 'compaction') return hasText(block.content)
  return CARRIERS.has(block.type)
}

function toolCarries(tool: object): boolean {
  return isObject(tool) && looseOf(tool).defer_loading !== true
}

function messageCarries(message: object): boolean {
  const { clear_at: clearAt } = looseOf(message)
  return clearAt === undefined || clearAt === null
}

function markBlocks(blocks: readonly unknown[], ttls: BlockTtls): readonly unknown[] {
  return changeAt(blocks, ttls, (block, ttl) =>
    isObject(block) && blockCarries(block) ? { ...block, cache_control: cacheControl(ttl) } : block,
  )
}

const INNER = ['content', 'source', 'citations', 'tool_references'] as const
/** Deeper than the API's own shapes: message, result, document, source, text. */
const DEEPEST = 8

export function withoutMarkers<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) return mapShared(value, (entry) => withoutMarkers(entry, depth)) as T
  if (!isObject(value)) return value
  let bare: Loose = without<Loose>(value, 'cache_control')
  for (const key of INNER) {
    const inner = withoutMarkers(bare[key], depth + 1)
    if (inner !== bare[key]) bare = { ...bare, [key]: inner }
  }
  return bare as T
}

function readBlocks(blocks: readonly unknown[], role: BlockRole, tokens: TokenCounter): ReadBlock[] {
  return blocks.map((block, index) => {
    const read = readBlock(looseOf(withoutMarkers(block)), role, tokens)
    return index === 0 ? { ...read, tokens: read.tokens + MESSAGE_OVERHEAD_TOKENS } : read
  })
}

/** Blocks of server tools are `other`: only runs of the host's calls and results are known to count as one position. */
const KINDS: ReadonlyMap<unknown, BlockKind> = new Map([
  ['tool_use', 'tool-use'],
  ['tool_result', 'tool-result'],
])

function readBlock(block: Loose, role: BlockRole, tokens: TokenCounter): ReadBlock {
  const kind = KINDS.get(block.type) ?? 'other'
  return {
    kind,
    role: kind === 'tool-result' ? 'tool' : role,
    content: wireText(block),
    tokens: blockTokens(block, tokens),
    carries: blockCarries(block),
  }
}

function blockTokens(block: Loose, tokens: TokenCounter, depth = 0): number {
  if (depth > DEEPEST) return 0
  const { type, text, thinking, name, input, content, source } = block
  const inner = () =>
    partsOf(content).reduce<number>((sum, part) => sum + blockTokens(looseOf(part), tokens, depth + 1), 0)
  if (type === 'text') return tokens.countText(textOf(text))
  if (type === 'thinking') return tokens.countText(textOf(thinking))
  if (type === 'image') return IMAGE_TOKENS
  if (type === 'tool_result') return CALL_OVERHEAD_TOKENS + inner()
  if (type === 'tool_use')
    return CALL_OVERHEAD_TOKENS + tokens.countText(textOf(name)) + tokens.countText(wireText(input))
  const { type: from, data } = looseOf(source)
  if (type === 'document' && from !== 'content' && from !== 'text')
    return typeof data === 'string' ? fileTokens(data, tokens) : IMAGE_TOKENS
  return tokens.countText(wireText(block))
}

function fileTokens(data: string, tokens: TokenCounter): number {
  return tokens.countMessage({ role: 'user', content: [{ type: 'file', file: { file_data: data } }] })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
