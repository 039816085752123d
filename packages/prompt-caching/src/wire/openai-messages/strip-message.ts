import { isDeepFrozen, isObject, type Loose } from '@palimpsest/core'
import { mapShared, without } from '../lists.ts'
import { restoreContent } from '../wrapped-content.ts'

/** Messages that cannot change and hold no marker: looking once is enough. */
const clean = new WeakSet<object>()

/**
 * The message as it was before it was marked: no marker on it, on its parts or on its calls, and a text where its
 * text was wrapped. The same object when there is nothing to take out.
 */
export function stripMessage<T>(message: T): T {
  if (!isObject(message) || clean.has(message)) return message
  const stripped = stripMembers(message)
  if (stripped === message && isDeepFrozen(message)) clean.add(message)
  return stripped as T
}

function stripMembers(message: Loose): Loose {
  const bare = withoutMarkers(message)
  const content = Array.isArray(bare.content) ? restoreContent(bare.content, stripParts) : bare.content
  const calls = Array.isArray(bare.tool_calls) ? mapShared(bare.tool_calls, stripTool) : bare.tool_calls
  if (content === bare.content && calls === bare.tool_calls) return bare
  return {
    ...bare,
    ...(content !== bare.content && { content }),
    ...(calls !== bare.tool_calls && { tool_calls: calls }),
  }
}

/** A tool, or a call of one, without markers; gateways read them on `function` too. What its schema says is its own. */
export function stripTool<T>(tool: T): T {
  const bare = withoutMarkers(tool)
  if (!isObject(bare)) return bare
  const inner = withoutMarkers(bare.function)
  return inner === bare.function ? bare : { ...bare, function: inner }
}

function stripParts(parts: readonly unknown[]): readonly unknown[] {
  return mapShared(parts, withoutMarkers)
}

/** Markers of all routes: a request that was made for another one is cleaned as well. */
const MARKERS = ['cache_control', 'prompt_cache_breakpoint'] as const

/** The object without markers of its own; the same object when it has none. */
export function withoutMarkers<T>(value: T): T {
  return without(value, MARKERS)
}
