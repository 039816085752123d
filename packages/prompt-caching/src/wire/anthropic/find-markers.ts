import { type Fields, isFields, listOf } from '../fields.ts'
import type { AnthropicRequest } from './anthropic-request.ts'
import { withoutMarkers } from './strip-markers.ts'

/** Where a breakpoint stands: in the order of the prompt, or where none may stand at all. */
export interface FoundMarker {
  /** Such as `messages[3].content[0]`. */
  readonly path: string
  readonly on: 'tool' | 'block' | 'message' | 'inside'
  /** The tool or block that carries it; for `inside`, the outermost one. */
  readonly holder: Fields
  /** The message around it. */
  readonly message: Fields | null
  /** The value of `cache_control`. Null for `message` and `inside`, where the API knows no such field. */
  readonly marker: Fields | null
}

/** A tool or block in the order of the prompt. */
export interface PromptPart {
  readonly path: string
  readonly on: 'tool' | 'block'
  readonly holder: Fields
  readonly message: Fields | null
}

/** Tools, then blocks of the system prompt, then those of the messages; without values that are not objects. */
export function promptParts({ tools, system, messages }: AnthropicRequest): PromptPart[] {
  const parts: PromptPart[] = []
  const add = (list: unknown, on: PromptPart['on'], path: string, message: Fields | null): void => {
    const holders = typeof list === 'string' ? [{ type: 'text', text: list }] : list
    if (!Array.isArray(holders)) return
    for (const [index, holder] of holders.entries())
      if (isFields(holder)) parts.push({ path: `${path}[${index}]`, on, holder, message })
  }
  add(tools, 'tool', 'tools', null)
  add(system, 'block', 'system', null)
  for (const [index, message] of listOf(messages).entries())
    if (isFields(message)) add(message.content, 'block', `messages[${index}].content`, message)
  return parts
}

/** Every breakpoint that was written out, in the order of the prompt. */
export function findMarkers(request: AnthropicRequest): FoundMarker[] {
  const found: FoundMarker[] = []
  for (const part of promptParts(request)) {
    const marker = markerOf(part.holder)
    if (marker !== null) found.push({ ...part, marker })
    const { cache_control: _, ...rest } = part.holder
    if (withoutMarkers(rest) !== rest) found.push({ ...part, on: 'inside', marker: null })
  }
  for (const [index, message] of listOf(request.messages).entries()) {
    if (isFields(message) && markerOf(message) !== null)
      found.push({ path: `messages[${index}]`, on: 'message', holder: message, message, marker: null })
  }
  return found
}

/** The value of `cache_control`. Null when there is none. */
export function markerOf(holder: Fields): Fields | null {
  const { cache_control: marker } = holder
  if (marker === undefined || marker === null) return null
  return isFields(marker) ? marker : { type: marker }
}
