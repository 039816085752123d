import { type Fields, isFields } from '../fields.ts'
import { mapShared } from '../map-shared.ts'
import { restoreContent } from '../wrapped-content.ts'
import type { AnthropicRequest } from './anthropic-request.ts'

/** Members in which blocks hold other blocks. Inputs of tools and their schemas are not: they are the host's. */
const INNER = ['content', 'source', 'citations', 'tool_references'] as const
/** Deeper than the API's own shapes go: result, document, source, text. */
const DEEPEST = 8

/**
 * The request without any breakpoint: explicit, automatic or nested. What has none is shared; texts that became lists
 * to carry one are texts again.
 */
export function stripMarkers(request: AnthropicRequest): AnthropicRequest {
  const { tools, system, messages } = request
  const bare = {
    ...(tools && { tools: stripList(tools) }),
    ...(system && { system: stripContent(system) }),
    messages: mapShared(messages, stripMessage),
  } as Partial<AnthropicRequest>
  const isSame = bare.tools === tools && (bare.system ?? system) === system && bare.messages === messages
  const isMarked = Object.hasOwn(request, 'cache_control')
  if (isSame && !isMarked) return request
  const stripped = { ...request, ...bare }
  delete stripped.cache_control
  return stripped
}

/** A tool or a block without breakpoints, on it or inside of it; itself when there are none. */
export function withoutMarkers<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) return mapShared(value, (entry) => withoutMarkers(entry, depth)) as T
  if (!isFields(value)) return value
  let copy: Record<string, unknown> | undefined
  if (Object.hasOwn(value, 'cache_control')) {
    copy = { ...value }
    delete copy.cache_control
  }
  for (const key of INNER) {
    const inner = value[key]
    if (typeof inner !== 'object' || inner === null) continue
    const bare = withoutMarkers(inner, depth + 1)
    if (bare === inner) continue
    copy ??= { ...value }
    copy[key] = bare
  }
  return (copy ?? value) as T
}

function stripList<T>(list: readonly T[]): readonly T[] {
  return withoutMarkers(list)
}

function stripContent(content: unknown): unknown {
  return Array.isArray(content) ? restoreContent(content, stripList) : content
}

function stripMessage<T>(message: T): T {
  if (!isFields(message)) return message
  const content = stripContent(message.content)
  const bare: Fields = content === message.content ? message : { ...message, content }
  if (!Object.hasOwn(bare, 'cache_control')) return bare as T
  const { cache_control: _, ...rest } = bare
  return rest as T
}
