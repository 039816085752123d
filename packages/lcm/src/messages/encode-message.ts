import { hash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { checkTokens } from '../store/check-input.ts'
import type { EncodedMessage } from '../store/lcm-session.ts'
import {
  escapeLiterals,
  isPlainMessage,
  isStorable,
  mapTexts,
  storableCopy,
  type TextMark,
  unescapeLiterals,
} from './message-texts.ts'

/**
 * The stored form of a message. `tokens`: tokens of the whole message. Texts that a search reads stand in `text`
 * only, and `shape` says where in the message they belong. Reasoning and media stay in `shape`.
 *
 * @throws InvalidOptionError when `tokens` is no count.
 */
export function encodeMessage(message: Message, tokens: number): EncodedMessage {
  checkTokens('tokens', tokens)
  const json = jsonOf(message)
  const { role, id } = (message ?? {}) as { role?: unknown; id?: unknown }
  return {
    role: typeof role === 'object' ? JSON.stringify(role) : String(role),
    ...(typeof id === 'string' && { hostId: id }),
    json,
    hash: hashMessage(message, json),
    ...takeApart(isPlainMessage(message) ? message : JSON.parse(json)),
    tokens,
  }
}

/** True when a stored message is this one to the last byte. Its texts are compared first: to hash them costs five times that. */
export function isStoredAs(
  { shape, text, hash }: Pick<EncodedMessage, 'shape' | 'text' | 'hash'>,
  message: Message,
): boolean {
  const own = isPlainMessage(message) && takeApart(message)
  return (own && own.shape === shape && own.text === text) || hash === hashMessage(message)
}

function takeApart(message: unknown): Pick<EncodedMessage, 'shape' | 'text'> {
  const pieces: string[] = []
  const marks: TextMark[] = []
  const skeleton = mapTexts(message, (text, isJson) => {
    const taken = takeText(text, isJson)
    if (taken.piece !== '') pieces.push(taken.piece)
    marks.push(taken.mark)
    return taken.left
  })
  return { text: pieces.join('\n'), shape: JSON.stringify([skeleton, ...marks]) }
}

/** The hash of a message's stored form. */
export function hashMessage(message: Message, json = jsonOf(message)): string {
  return hash('sha256', json)
}

/** A value that JSON does not know is stored as null. */
function jsonOf(message: Message): string {
  return JSON.stringify(message) ?? 'null'
}

/** `piece` goes to the text, `left` stays in the shape, and `mark` says how to make one of them again. */
function takeText(text: string, isJson: boolean): { piece: string; left: string; mark: TextMark } {
  const { text: piece, marks } = isJson ? unescapeLiterals(text) : { text, marks: [] }
  if (!isStorable(piece)) return { piece: storableCopy(piece), left: text, mark: -piece.length }
  return { piece, left: '', mark: marks.length === 0 ? piece.length : [piece.length, ...marks] }
}

/**
 * The JSON text of a message, as it was before `encodeMessage` took it apart.
 *
 * @throws SyntaxError or TypeError when `shape` is damaged. Other damage shows in the hash of what is returned.
 */
export function decodeMessage(shape: string, text: string): string {
  const [skeleton, ...marks] = JSON.parse(shape) as [unknown, ...TextMark[]]
  let next = 0
  let position = 0
  const message = mapTexts(skeleton, (left) => {
    const mark = marks[next++] ?? 0
    const [signed = 0, ...escapes] = typeof mark === 'number' ? [mark] : mark
    const length = Math.abs(Number(signed))
    if (length === 0) return left
    const piece = text.slice(position, position + length)
    // Behind each piece stands the newline that divides it from the next one.
    position += length + 1
    return Number(signed) < 0 ? left : escapeLiterals(piece, escapes)
  })
  return JSON.stringify(message)
}
