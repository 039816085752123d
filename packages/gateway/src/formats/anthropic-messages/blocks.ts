import {
  isObject,
  type Loose,
  looseOf,
  type Message,
  type ToolCall,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import { withoutMark } from '../../recognition/cache-marks.ts'

export type Block = Loose

export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

export function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

export function isCompaction({ type, content }: Block): boolean {
  return type === 'compaction' && typeof content === 'string'
}

export function toPart(block: Block): Loose {
  const { type, source, title } = block
  const { data, url, media_type: mediaType } = looseOf(source)
  const address = typeof data === 'string' ? `data:${String(mediaType)};base64,${data}` : url
  if (type === 'image' && typeof address === 'string')
    return { type: 'image_url', image_url: { url: address } }
  if (type === 'document' && looseOf(source).type === 'base64')
    return {
      type: 'file',
      file: { file_data: address, ...(typeof title === 'string' && { filename: title }) },
    }
  if (type === 'compaction') return withoutMark(block)
  // Null means nothing, and clients leave it out.
  return Object.fromEntries(Object.entries(withoutMark(block)).filter(([, value]) => value !== null))
}

export function toBlock(part: Loose): Block | undefined {
  const { providerData: _, ...block } = withoutMark(part)
  if (block.type === 'text')
    return typeof block.text === 'string' && block.text.trim() !== '' ? block : undefined
  if (block.type === 'image_url')
    return { type: 'image', source: toSource(looseOf(block.image_url).url, 'image/png') }
  if (block.type !== 'file') return block
  const { file_data: data, filename } = looseOf(block.file)
  const title = typeof filename === 'string' && { title: filename }
  return { type: 'document', source: toSource(data, 'application/pdf'), ...title }
}

function toSource(address: unknown, otherwise: string): Loose {
  const text = String(address)
  const [head, mediaType] = /^data:([^;,]*);base64,/.exec(text) ?? []
  if (head === undefined) return { type: 'url', url: text }
  return { type: 'base64', media_type: mediaType || otherwise, data: text.slice(head.length) }
}

const CALL = new Set(['type', 'id', 'name', 'input', 'cache_control'])

export function toCall(block: Block, input?: string): ToolCall {
  const rest = Object.entries(block).filter(([name, value]) => !CALL.has(name) && value !== null)
  const name = String(block.name)
  return {
    id: String(block.id),
    type: 'function',
    function: { name, arguments: input || JSON.stringify(block.input ?? {}) },
    ...(rest.length > 0 && { providerData: { anthropic: Object.fromEntries(rest) } }),
  }
}

/** The API requires an object, so other arguments become text. */
export function toToolUse(call: ToolCall): Block {
  const text = toolCallInput(call)
  const input = text.trim() === '' ? {} : parseJson(text)
  return {
    type: 'tool_use',
    id: call.id,
    name: toolCallName(call),
    input: isObject(input) ? input : { _raw: text },
    ...looseOf(call.providerData?.anthropic),
  }
}

export interface Piece {
  readonly message: Message
  readonly parts: readonly Block[]
  readonly calls: readonly Block[]
  readonly result?: Block
  readonly own: readonly Block[] | undefined
}

export interface RawMessage {
  readonly raw: Loose
  readonly index: number
  readonly blocks: readonly Block[]
}

/**
 * The smallest unit that is sent unchanged. A message of the API may be several of core, one per tool result, and
 * instructions between messages belong to the one before.
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

/** Clients write a plain text in either form, and differently with each request. */
export function toContent(blocks: readonly Block[]): string | Loose[] {
  const parts = blocks.map(toPart)
  const [first] = parts
  if (first === undefined) return ''
  const isPlain = parts.length === 1 && Object.keys(first).length === 2 && first.type === 'text'
  return isPlain && typeof first.text === 'string' ? first.text : parts
}

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
