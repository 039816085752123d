import { isObject, type Loose, type Message } from '@palimpsest/core'
import { type Block, blocksOf, toCall, toPart } from './blocks.ts'

/** A message of core, with the blocks that it was read from. */
export interface Piece {
  readonly message: Message
  /** One for each part of its content. */
  readonly parts: readonly Block[]
  readonly calls: readonly Block[]
  /** Of a tool's result. */
  readonly result?: Block
  /** All of them in their order; undefined when they are of several messages of the API. */
  readonly own: readonly Block[] | undefined
}

/** A message of a client's list, with the objects that its blocks are in the pieces. */
export interface RawMessage {
  readonly raw: Loose
  /** In the client's list. */
  readonly index: number
  readonly blocks: readonly Block[]
}

/**
 * The least that is sent as it came. A message of the API may be several of core, one for each result of a tool; and
 * instructions between messages belong to the message that they stand behind: only the user speaks for the user.
 */
export interface Unit {
  readonly raws: readonly RawMessage[]
  readonly pieces: readonly Piece[]
}

export function readUnits(messages: readonly Loose[]): readonly Unit[] {
  const units: Unit[] = []
  for (const [index, raw] of messages.entries()) {
    const one: RawMessage = { raw, index, blocks: blocksOf(raw.content) }
    const before = units.at(-1)
    const last = before?.pieces.at(-1)
    if (before !== undefined && last !== undefined && joins(one, last))
      units[units.length - 1] = {
        raws: [...before.raws, one],
        pieces: [...before.pieces.slice(0, -1), joined(last, one.blocks)],
      }
    else units.push({ raws: [one], pieces: readPieces(one) })
  }
  return units
}

function joins({ raw, blocks }: RawMessage, { message }: Piece): boolean {
  return blocks.length === 0 || (raw.role === 'system' && message.role !== 'assistant')
}

function joined(piece: Piece, blocks: readonly Block[]): Piece {
  if (blocks.length === 0) return piece
  const parts = [...piece.parts, ...blocks]
  const message = { ...piece.message, content: toContent(parts) } as Message
  return { ...piece, message, parts, own: undefined }
}

function readPieces({ raw, blocks }: RawMessage): Piece[] {
  if (raw.role === 'assistant') return [answerPiece(blocks)]
  const results = blocks.filter(isResult)
  const said = blocks.filter((block) => !isResult(block))
  const pieces = results.map((result): Piece => {
    const parts = blocksOf(result.content)
    const message = { role: 'tool', tool_call_id: String(result.tool_use_id), content: toContent(parts) }
    return { message: message as Message, parts, calls: [], result, own: [result] }
  })
  if (said.length === 0 && pieces.length > 0) return pieces
  const message = { role: 'user', content: toContent(said) } as Message
  return [...pieces, { message, parts: said, calls: [], own: said }]
}

/** An answer, or a message of the assistant's. `inputs`: the JSON texts of its calls, where they are known. */
export function answerPiece(blocks: readonly Block[], inputs?: ReadonlyMap<Block, string>): Piece {
  const parts = blocks.filter(({ type }) => type !== 'tool_use')
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const content = parts.length > 0 ? parts.map(toPart) : calls.length > 0 ? null : ''
  const message = {
    role: 'assistant',
    content,
    ...(calls.length > 0 && { tool_calls: calls.map((call) => toCall(call, inputs?.get(call))) }),
  }
  return { message: message as Message, parts, calls, own: blocks }
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}

/** One plain text as a text: clients write it in either form, and another one with each request. */
export function toContent(blocks: readonly Block[]): string | Loose[] {
  const parts = blocks.map(toPart)
  const [first] = parts
  if (first === undefined) return ''
  const isPlain = parts.length === 1 && Object.keys(first).length === 2 && first.type === 'text'
  return isPlain && typeof first.text === 'string' ? first.text : parts
}

/** Why a list cannot be managed; undefined when it can. */
export function listFault(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is not a list of messages'
  const index = messages.findIndex((message) => !isMessage(message))
  return index === -1 ? undefined : `messages[${index}] is no message of the API`
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

function isMessage(message: unknown): boolean {
  if (!isObject(message) || !ROLES.has(message.role)) return false
  return isContent(message.content, true)
}

export function isContent(content: unknown, hasResults = false): boolean {
  if (typeof content === 'string') return true
  return (
    Array.isArray(content) &&
    content.every((block) => {
      if (!isObject(block) || typeof block.type !== 'string') return false
      if (block.type === 'text') return typeof block.text === 'string'
      if (block.type === 'tool_use') return typeof block.id === 'string' && typeof block.name === 'string'
      if (block.type !== 'tool_result') return true
      if (!hasResults || typeof block.tool_use_id !== 'string') return false
      return block.content === undefined || isContent(block.content)
    })
  )
}
