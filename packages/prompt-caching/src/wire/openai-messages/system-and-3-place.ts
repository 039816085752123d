import { type Fields, isFields } from '../fields.ts'
import { hasText } from '../static-text.ts'
import type { Carriage } from './carriage.ts'

/** Where a marker is written: on a part of the content, a text being the first, or on the message. */
export type MarkerPlace = { readonly on: 'part'; readonly index: number } | { readonly on: 'message' }

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
 * What Anthropic answers 400 for is not done: a blank text counts as empty, and of a list the last part counts that is
 * neither blank nor thinking. Null: nowhere.
 */
export function systemAnd3Place({ role, content }: Fields, { onMessage }: Carriage): MarkerPlace | null {
  if (role === 'tool') return onMessage ? ON_MESSAGE : null
  if (!Array.isArray(content)) return hasText(content) ? { on: 'part', index: 0 } : ON_MESSAGE
  if (!isFields(content.at(-1))) return null
  const index = content.findLastIndex(takesMarker)
  return index === -1 ? null : { on: 'part', index }
}

const ON_MESSAGE: MarkerPlace = Object.freeze({ on: 'message' })
const THINKING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning'])

function takesMarker(part: unknown): boolean {
  if (!isFields(part) || THINKING.has(part.type)) return false
  return part.type !== 'text' || hasText(part.text)
}
