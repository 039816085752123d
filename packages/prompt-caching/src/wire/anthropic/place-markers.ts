import type { CacheAnchor, CacheRef } from '@palimpsest/core'
import { isFields } from '../fields.ts'
import { cacheControl } from '../fit-anchors.ts'
import { extendPart, splitContent, toParts } from '../wrapped-content.ts'
import type { AnthropicCacheControl } from './anthropic-block.ts'

/**
 * Writes breakpoints, from `fitAnchors`, into a prompt that has none. A text that carries one becomes a list of one
 * text; a system prompt with a static part is split, marked or not, because blocks must not change when a breakpoint
 * moves on.
 */
export function placeMarkers<Prompt extends MarkablePrompt>(
  prompt: Prompt,
  anchors: readonly CacheAnchor[],
  staticSystem = 0,
): Prompt {
  const system = splitContent(prompt.system, staticSystem) as Prompt['system']
  const parted: MarkablePrompt = system === prompt.system ? prompt : { ...prompt, system }
  // Five minutes are the default: written out, they would be other bytes for the same request.
  const marked = anchors.reduce((before, { ref, ttl }) => markAt(before, ref, cacheControl(ttl)), parted)
  // A marked value keeps its type.
  return marked as Prompt
}

/** The members of a prompt that are written to. */
interface MarkablePrompt {
  readonly tools?: readonly object[]
  readonly system?: unknown
  readonly messages: readonly { readonly content?: unknown }[]
}

function markAt(prompt: MarkablePrompt, ref: CacheRef, marker: AnthropicCacheControl): MarkablePrompt {
  const { tools = [], system, messages } = prompt
  switch (ref.at) {
    case 'tool':
      return { ...prompt, tools: replaced(tools, ref.index, (tool) => ({ ...tool, cache_control: marker })) }
    case 'system':
      return { ...prompt, system: markContent(system, ref.block, marker) }
    case 'message':
      return {
        ...prompt,
        messages: replaced(messages, ref.index, (message) => ({
          ...message,
          content: markContent(message.content, ref.block, marker),
        })),
      }
  }
}

function markContent(content: unknown, index: number, marker: AnthropicCacheControl): unknown[] {
  const parts = toParts(content)
  const part = parts[index]
  if (isFields(part)) parts[index] = extendPart(part, 'cache_control', marker)
  return parts
}

function replaced<T>(list: readonly T[], index: number, change: (entry: T) => T): T[] {
  return list.map((entry, at) => (at === index ? change(entry) : entry))
}
