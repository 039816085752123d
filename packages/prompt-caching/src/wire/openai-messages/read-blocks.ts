import { isSummary, type Message, type TokenCounter, type ToolSchema } from '@palimpsest/core'
import type { BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import { type Fields, isFields } from '../fields.ts'
import { wireText } from '../wire-text.ts'
import { splitContent } from '../wrapped-content.ts'
import type { Carriage } from './message-pieces.ts'
import { messagePieces } from './message-pieces.ts'
import { stripMessage, stripTool } from './strip-message.ts'

/** A tool, marked or not, as a block. */
export function readTool(tool: object, tokens: TokenCounter, carriage: Carriage): ReadBlock {
  const bare = stripTool(tool)
  return {
    kind: isFields(bare) ? 'tool' : 'other',
    role: 'system',
    content: wireText(bare),
    tokens: isFields(bare) ? tokens.countTools([bare as unknown as ToolSchema]) : 0,
    carries: carriage.onTools && isFields(bare),
  }
}

/** The blocks of a system prompt, marked or not; its first `staticSystem` characters end with one. */
export function readSystem(
  system: object,
  tokens: TokenCounter,
  carriage: Carriage,
  staticSystem: number | undefined,
): readonly ReadBlock[] {
  const bare = stripMessage(system)
  const total = tokens.countMessage(bare as Message)
  return readPieces(splitSystem(bare, staticSystem), total, carriage).map((block) =>
    block.kind === 'text' ? { ...block, kind: 'system' } : block,
  )
}

/** The blocks of a message, marked or not. Their tokens sum to those of the message. */
export function readMessage(message: object, tokens: TokenCounter, carriage: Carriage): readonly ReadBlock[] {
  const bare = stripMessage(message)
  if (!isFields(bare)) return []
  const counted = bare as unknown as Message
  const blocks = readPieces(bare, tokens.countMessage(counted), carriage)
  if (!isSummary(counted)) return blocks
  // Parts behind the last one that says where its summary ends are an engine's lists, made anew with each compaction.
  const marked = blocks.findLastIndex(({ content }) => content.includes('</summary>'))
  const last = marked === -1 ? blocks.length - 1 : marked
  return blocks.map((block, index) => (index > last ? block : { ...block, isSummary: true }))
}

/**
 * A bare system prompt with its static beginning as a part of its own; itself where there is nothing to split. To be
 * done whether the beginning is marked or not: blocks must not change when a marker goes.
 */
export function splitSystem(system: object, staticSystem: number | undefined): Fields {
  const { content } = system as Fields
  const split = splitContent(content, staticSystem ?? 0)
  return split === content ? (system as Fields) : { ...system, content: split }
}

function readPieces(message: Fields, tokens: number, carriage: Carriage): ReadBlock[] {
  const role = roleOf(message.role)
  const pieces = messagePieces(message, carriage)
  const shares = shareTokens(
    tokens,
    pieces.map(({ weight }) => weight),
  )
  const isHermes = carriage.field === 'cache_control'
  return pieces.map(({ kind, content, place, systemAnd3 }, index) => ({
    kind,
    role,
    content,
    tokens: shares[index] ?? 0,
    carries: place !== null,
    ...(isHermes && { systemAnd3: systemAnd3 !== undefined }),
  }))
}

function roleOf(role: unknown): BlockRole {
  if (role === 'system' || role === 'developer') return 'system'
  if (role === 'tool' || role === 'function') return 'tool'
  return role === 'assistant' ? 'assistant' : 'user'
}

/**
 * Shares a count of tokens out in proportion to weights, which are above zero. The shares are whole numbers and sum to
 * the count exactly: what is rounded is where each share ends, so no error adds up.
 */
export function shareTokens(tokens: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let weight = 0
  let given = 0
  return weights.map((own) => {
    weight += own
    const end = Math.round((tokens * weight) / whole)
    const share = end - given
    given = end
    return share
  })
}
