import { isObject, type Loose } from '@palimpsest/core'
import { listOf, mapShared, without } from '../lists.ts'
import { restoreContent } from '../wrapped-content.ts'
import type { AnthropicRequest } from './anthropic-request.ts'

const MARKER = ['cache_control'] as const
/** Members in which blocks hold other blocks. Inputs of tools and their schemas are not: they are the host's. */
const INNER = ['content', 'source', 'citations', 'tool_references'] as const
/** Deeper than the API's own shapes go: result, document, source, text. */
const DEEPEST = 8

/**
 * The request without any breakpoint: explicit, automatic or nested. What has none is shared; texts that became lists
 * to carry one are texts again.
 */
export function stripMarkers<Own extends AnthropicRequest>(request: Own): Own {
  const { tools, system, messages } = request
  const bare: Loose = {
    ...(tools && { tools: withoutMarkers(tools) }),
    ...(system && { system: stripContent(system) }),
    ...(Array.isArray(messages) && { messages: mapShared(listOf(messages), stripMessage) }),
  }
  const isSame = Object.entries(bare).every(
    ([key, value]) => value === request[key as keyof AnthropicRequest],
  )
  if (isSame && !Object.hasOwn(request, 'cache_control')) return request
  const { cache_control: _, ...stripped } = { ...request, ...bare }
  // A value without its markers keeps its type.
  return stripped as unknown as Own
}

/** A tool or a block without breakpoints, on it or inside of it; itself when there are none. */
export function withoutMarkers<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) return mapShared(value, (entry) => withoutMarkers(entry, depth)) as T
  if (!isObject(value)) return value
  let bare: Loose = without<Loose>(value, MARKER)
  for (const key of INNER) {
    const inner = withoutMarkers(bare[key], depth + 1)
    if (inner !== bare[key]) bare = { ...bare, [key]: inner }
  }
  return bare as T
}

function stripContent(content: unknown): unknown {
  return Array.isArray(content) ? restoreContent(content, (parts) => withoutMarkers(parts)) : content
}

function stripMessage<T>(message: T): T {
  if (!isObject(message)) return message
  const content = stripContent(message.content)
  const bare: Loose = content === message.content ? message : { ...message, content }
  return without(bare, MARKER) as T
}
