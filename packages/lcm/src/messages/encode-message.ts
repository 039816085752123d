import { hash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { checkTokens } from '../store/check-input.ts'
import type { EncodedMessage } from '../store/lcm-session.ts'

/** The stored form of a message. `tokens`: tokens of the whole message. @throws InvalidOptionError when `tokens` is no count. */
export function encodeMessage(message: Message, tokens: number): EncodedMessage {
  checkTokens('tokens', tokens)
  const json = jsonOf(message)
  const { role, id } = (message ?? {}) as { role?: unknown; id?: unknown }
  return {
    role: typeof role === 'object' ? JSON.stringify(role) : String(role),
    ...(typeof id === 'string' && { hostId: id }),
    json,
    hash: hash('sha256', json),
    text: searchText(json),
    tokens,
  }
}

/** True when a stored message is this one to the last byte. The texts are compared first: hashing one costs five times that. */
export function isStoredAs(stored: Pick<EncodedMessage, 'json' | 'hash'>, message: Message): boolean {
  return stored.json === '' ? stored.hash === hashMessage(message) : stored.json === jsonOf(message)
}

/** The hash of a message's stored form. */
export function hashMessage(message: Message): string {
  return hash('sha256', jsonOf(message))
}

/** A value that JSON does not know is stored as null. */
function jsonOf(message: Message): string {
  return JSON.stringify(message) ?? 'null'
}

/**
 * What a search reads of a message's JSON text, with newlines between: content, refusal, then the name and the arguments of each
 * call. Reasoning and media are no part of it. Empty for what is no message.
 */
export function searchText(json: string): string {
  const { content, refusal, tool_calls: calls } = fieldsOf(parse(json))
  const parts = Array.isArray(content) ? content.map(fieldsOf) : [{ type: 'text', text: content }]
  const called = Array.isArray(calls) ? calls.map(fieldsOf) : []
  const texts = [
    ...parts.map(({ type, ...part }) => (type === 'text' || type === 'refusal' ? part[type] : undefined)),
    refusal,
    ...called.flatMap(({ function: fn, custom }) => {
      const { name, arguments: args } = fieldsOf(fn)
      const { name: customName, input } = fieldsOf(custom)
      return [name, typeof args === 'string' ? unescapeLiterals(args) : undefined, customName, input]
    }),
  ]
  const kept = texts.filter((text): text is string => typeof text === 'string' && text !== '')
  return storableCopy(kept.join('\n'))
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const LITERAL = /"(?:[^"\\]|\\.)*"/gs

/** JSON text with the escapes in its string literals resolved: a newline is one, so that the word after it is a word and not `nword`. */
function unescapeLiterals(json: string): string {
  if (!json.includes('\\')) return json
  return json.replace(LITERAL, (literal) => {
    const value = literal.includes('\\') ? parse(literal) : undefined
    return typeof value === 'string' ? `"${value}"` : literal
  })
}

/** Lone surrogates cannot be written as UTF-8, and C interfaces end a text at a NUL character. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** The text with U+FFFD in the place of what cannot be stored. Its length in characters is the same. */
export function storableCopy(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')
}
