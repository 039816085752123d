import { CALL_OVERHEAD_TOKENS, IMAGE_TOKENS, isSummary, type TokenCounter } from '@palimpsest/core'
import type { BlockKind, BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import { type Fields, isFields } from '../fields.ts'
import { mediaTokens, wireText } from '../wire-text.ts'
import { blockCarries } from './carries-marker.ts'
import { withoutMarkers } from './strip-markers.ts'

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
export function readAnthropicBlock(block: unknown, role: BlockRole, tokens: TokenCounter): ReadBlock {
  if (!isFields(block)) return { kind: 'other', role, content: wireText(block), tokens: 0, carries: false }
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
export function hashedText(value: Fields, role: BlockRole): string {
  const members = Object.entries(withoutMarkers(value)).filter(([, member]) => member !== undefined)
  return `${role} ${wireText(members.sort(([a], [b]) => (a < b ? -1 : 1)))}`
}

function kindOf({ type }: Fields): BlockKind {
  return typeof type === 'string' && Object.hasOwn(KINDS, type) ? (KINDS[type] ?? 'other') : 'other'
}

function isSummaryText({ type, text }: Fields, role: BlockRole): boolean {
  return type === 'text' && role === 'user' && typeof text === 'string' && isSummary({ role, content: text })
}

/** Deeper than blocks stand in blocks. */
const DEEPEST = 8

function blockTokens(block: Fields, tokens: TokenCounter, depth = 0): number {
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

function documentTokens({ source, title }: Fields, tokens: TokenCounter, depth: number): number {
  const { type, data, content } = isFields(source) ? source : {}
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
  for (const part of content) if (isFields(part)) sum += blockTokens(part, tokens, depth + 1)
  return sum
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
