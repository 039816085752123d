import { type ToolCall, toolCallInput, toolCallName } from '@palimpsest/core'
import { isFields } from '../fields.ts'
import type { AnthropicToolUse } from './anthropic-block.ts'

/**
 * A call of a tool as a block. Keys of the input keep the order in which the model wrote them. The API takes objects
 * only: what is not the JSON of one, such as the free text of a custom tool, goes as `{ "_raw": text }`. Halves of
 * surrogate pairs become U+FFFD.
 */
export function toToolUse(call: ToolCall): AnthropicToolUse {
  return {
    type: 'tool_use',
    id: toolUseId(call.id),
    name: toolCallName(call),
    input: readInput(toolCallInput(call)),
  }
}

/**
 * An id as the API takes it: letters, digits, `_` and `-`. Other characters, which other providers' ids have, are
 * written as their code, so that different ids stay different.
 */
export function toolUseId(id: unknown): string {
  const text = typeof id === 'string' ? id : ''
  return text === ''
    ? '_'
    : text.replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)
}

function readInput(text: string): object {
  if (text.trim() === '') return {}
  try {
    const input: unknown = HALF_PAIR.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
    return isFields(input) ? input : { _raw: text.toWellFormed() }
  } catch {
    return { _raw: text.toWellFormed() }
  }
}

/** Where half of a surrogate pair may be: written out, or as an escape. */
const HALF_PAIR = /\p{Cs}|\\u[dD][89a-fA-F]/u

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
