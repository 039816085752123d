import type { CacheAnchor, CacheRef } from '@palimpsest/core'
import { cacheControl } from '../cache-control.ts'
import { isFields } from '../fields.ts'
import { extendPart, splitContent, toParts } from '../wrapped-content.ts'
import type { AnthropicCacheControl } from './anthropic-block.ts'
import type { AnthropicRequest } from './anthropic-request.ts'
import { blockCarries, messageCarries, toolCarries } from './carries-marker.ts'
import { fitAnchors } from './fit-anchors.ts'

/**
 * Writes breakpoints into a request that has none. Anchors on what is not there, or may not carry one, are left out.
 * A text that carries one becomes a list of one text; a system prompt with a static part is split, marked or not,
 * because blocks must not change when a breakpoint moves on.
 */
export function placeMarkers(
  request: AnthropicRequest,
  anchors: readonly CacheAnchor[],
  staticSystem = 0,
): AnthropicRequest {
  const system = splitContent(request.system, staticSystem) as AnthropicRequest['system']
  const parted = system === request.system || system === undefined ? request : { ...request, system }
  const placeable = anchors.filter(({ ref }) => carriesAt(parted, ref))
  return fitAnchors(placeable).reduce(
    // Five minutes are the default: written out, they would be other bytes for the same request.
    (marked, { ref, ttl }) => markAt(marked, ref, cacheControl(ttl)),
    parted,
  )
}

function carriesAt(request: AnthropicRequest, ref: CacheRef): boolean {
  if (ref.at === 'tool') {
    const tool: unknown = request.tools?.[ref.index]
    return isFields(tool) && toolCarries(tool)
  }
  if (ref.at === 'system') return contentCarries(request.system, ref.block)
  const message: unknown = request.messages[ref.index]
  return isFields(message) && messageCarries(message) && contentCarries(message.content, ref.block)
}

function contentCarries(content: unknown, index: number): boolean {
  if (typeof content === 'string') return index === 0 && blockCarries({ type: 'text', text: content })
  const block: unknown = Array.isArray(content) ? content[index] : undefined
  return isFields(block) && blockCarries(block)
}

function markAt(request: AnthropicRequest, ref: CacheRef, marker: AnthropicCacheControl): AnthropicRequest {
  const { tools = [], system, messages } = request
  switch (ref.at) {
    case 'tool':
      return { ...request, tools: replaced(tools, ref.index, (tool) => ({ ...tool, cache_control: marker })) }
    case 'system':
      return { ...request, system: markContent(system, ref.block, marker) as NonNullable<typeof system> }
    case 'message':
      return {
        ...request,
        messages: replaced(messages, ref.index, (message) => {
          const content = markContent(message.content, ref.block, marker)
          return { ...message, content } as typeof message
        }),
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
