import {
  type CacheTtl,
  IMAGE_TOKENS,
  isObject,
  type Loose,
  type Message,
  toolCallsOf,
} from '@palimpsest/core'
import type { BlockKind } from '../../layout/request-layout.ts'
import { readEnvelope } from '../message-envelope.ts'
import { jsonText } from '../wire-text.ts'
import { hasText, partsOf } from '../wrapped-content.ts'

/** Where one route takes markers in messages of OpenAI's shape, and what a marker looks like. */
export interface Carriage {
  readonly name: string
  /** The member that is the marker. */
  readonly field: 'cache_control' | 'prompt_cache_breakpoint'
  readonly marker: (ttl: CacheTtl) => object
  /** Roles whose content parts carry. */
  readonly roles: ReadonlySet<unknown>
  /** Types of the parts that do. */
  readonly parts: ReadonlySet<unknown>
  /**
   * Whether a tool result, and an assistant's message without text, carries as a whole: an adapter moves the marker
   * into the last block that it makes of the message.
   */
  readonly onMessage: boolean
  /** Whether the schema of a tool carries. */
  readonly onTools: boolean
}

/** A block of a message as it was found. */
export interface MessagePiece {
  readonly kind: BlockKind
  readonly content: string
  /** Its share of the message's tokens, in characters. */
  readonly weight: number
  /** Null when it cannot carry a marker. */
  readonly place: MarkerPlace | null
  /** Where `system_and_3` marks the message, on the last block that this marker covers. Default: nowhere. */
  readonly systemAnd3?: MarkerPlace
}

/**
 * The blocks of a message without markers, in the order in which providers count them: thinking, parts, calls. A text
 * is one part and an empty one none; the result of a tool is one block whatever it holds, and so is what holds nothing.
 */
export function messagePieces(message: Loose, carriage: Carriage): readonly MessagePiece[] {
  const { text: envelope, thinking } = readEnvelope(message)
  const parts = partsOf(message.content)
  if (message.role === 'tool' || message.role === 'function') {
    const content = `${envelope}${parts.length === 1 ? partText(parts[0]) : jsonText(parts)}`
    const result = { ...piece('tool-result', content), place: resultPlace(message.role, parts, carriage) }
    return addSystemAnd3([result], 0, message, carriage)
  }
  const pieces: MessagePiece[] = thinking === undefined ? [] : [piece('thinking', thinking)]
  const firstPart = pieces.length
  for (const [index, part] of parts.entries()) {
    const place = canCarry(message.role, part, carriage) ? ({ on: 'part', index } as const) : null
    const kind = partKind(part)
    const content = partText(part)
    pieces.push({
      ...piece(kind, content),
      weight: partWeight(part, kind, Math.max(content.length, 1)),
      place,
    })
  }
  const calls = toolCallsOf(message as unknown as Message)
  const isBare = carriage.onMessage && !pieces.some(({ place }) => place !== null)
  for (const [index, call] of calls.entries()) {
    const place = isBare && index === calls.length - 1 ? ({ on: 'message' } as const) : null
    pieces.push({ ...piece('tool-use', jsonText(call)), place })
  }
  return addSystemAnd3(addEnvelope(pieces, envelope), firstPart, message, carriage)
}

/**
 * The text of a part for its hash. A plain text, which most are, stands for itself: writing it as JSON takes longer
 * than hashing it.
 */
function partText(part: unknown): string {
  const isPlain =
    isObject(part) &&
    typeof part.text === 'string' &&
    Object.keys(part).join() === 'type,text' &&
    part.type === 'text'
  return isPlain ? `text ${part.text}` : jsonText(part)
}

/** Thinking may be left out of the prompt later, so what the message says beside it goes with another block. */
function addEnvelope(pieces: MessagePiece[], envelope: string): MessagePiece[] {
  const first = pieces.findIndex(({ kind }) => kind !== 'thinking')
  const found = pieces[first]
  if (found !== undefined) pieces[first] = { ...found, content: envelope + found.content }
  else pieces.push(piece('other', envelope))
  return pieces
}

/** `firstPart`: number of the block that the first part of the content is; a result is one block for all of them. */
function addSystemAnd3(
  pieces: MessagePiece[],
  firstPart: number,
  message: Loose,
  carriage: Carriage,
): MessagePiece[] {
  const systemAnd3 = systemAnd3Place(message, carriage)
  if (systemAnd3 === null) return pieces
  const last = pieces.length - 1
  const index = systemAnd3.on === 'message' ? last : Math.min(firstPart + systemAnd3.index, last)
  const found = pieces[index]
  if (found !== undefined) pieces[index] = { ...found, systemAnd3 }
  return pieces
}

function piece(kind: BlockKind, content: string): MessagePiece {
  return { kind, content, weight: Math.max(content.length, 1), place: null }
}

function resultPlace(role: unknown, parts: readonly unknown[], carriage: Carriage): MarkerPlace | null {
  if (carriage.onMessage) return role === 'tool' ? { on: 'message' } : null
  const index = parts.findLastIndex((part) => canCarry(role, part, carriage))
  return index === -1 ? null : { on: 'part', index }
}

function canCarry(role: unknown, part: unknown, carriage: Carriage): boolean {
  if (!carriage.roles.has(role) || !isObject(part) || !carriage.parts.has(part.type)) return false
  return part.type !== 'text' || hasText(part.text)
}

const KINDS: ReadonlyMap<unknown, BlockKind> = new Map([
  ['text', 'text'],
  ['image_url', 'image'],
  ['file', 'document'],
  ['thinking', 'thinking'],
  ['redacted_thinking', 'thinking'],
  ['reasoning', 'thinking'],
])

function partKind(part: unknown): BlockKind {
  return (isObject(part) && KINDS.get(part.type)) || 'other'
}

/** Four characters a token. Media are as large as core takes them to be, not as long as their base64 text. */
function partWeight(part: unknown, kind: BlockKind, length: number): number {
  if (kind === 'image') return IMAGE_TOKENS * 4
  const isMedia = kind === 'document' || (isObject(part) && part.type === 'input_audio')
  return isMedia ? Math.max(IMAGE_TOKENS * 4, Math.ceil(length / 6)) : length
}

/** Where a marker is written: on a part of the content, a text being the first, or on the message. */
type MarkerPlace = { readonly on: 'part'; readonly index: number } | { readonly on: 'message' }

/**
 * Where `system_and_3` marks a message, by the table of Hermes Agent's guide to context compression and caching (2026):
 *
 * | content | place |
 * |---|---|
 * | a tool result | the message, for `native` only; elsewhere nowhere |
 * | a text | the text as a part |
 * | a list | its last part |
 * | null, empty | the message |
 *
 * Marks that Anthropic answers with 400 are not made: a blank text counts as empty, and of a list the last part
 * counts that is neither blank nor thinking. Null: nowhere.
 */
function systemAnd3Place({ role, content }: Loose, { onMessage }: Carriage): MarkerPlace | null {
  if (role === 'tool') return onMessage ? ON_MESSAGE : null
  if (!Array.isArray(content)) return hasText(content) ? { on: 'part', index: 0 } : ON_MESSAGE
  if (!isObject(content.at(-1))) return null
  const index = content.findLastIndex(takesMarker)
  return index === -1 ? null : { on: 'part', index }
}

const ON_MESSAGE: MarkerPlace = Object.freeze({ on: 'message' })
const THINKING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning'])

function takesMarker(part: unknown): boolean {
  if (!isObject(part) || THINKING.has(part.type)) return false
  return part.type !== 'text' || hasText(part.text)
}
