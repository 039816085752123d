import { isObject, type Loose } from '@palimpsest/core'
import { hasText, mapShared, without } from '../content.ts'

/**
 * Blocks with `cache_control` in the SDK's types. Thinking and unknown kinds carry none, because a refused request
 * costs more than an uncached one.
 */
const CARRIERS: ReadonlySet<unknown> = new Set([
  ...['image', 'document', 'search_result', 'tool_use', 'tool_result', 'container_upload'],
  ...['server_tool_use', 'web_search_tool_result', 'web_fetch_tool_result', 'tool_search_tool_result'],
  ...['code_execution_tool_result', 'bash_code_execution_tool_result'],
  'text_editor_code_execution_tool_result',
  ...['mcp_tool_use', 'mcp_tool_result', 'advisor_tool_result'],
])

export function blockCarries(block: Loose): boolean {
  if (block.type === 'text') return hasText(block.text)
  // A failed compaction has no text, and the API skips it.
  if (block.type === 'compaction') return hasText(block.content)
  return CARRIERS.has(block.type)
}

const INNER = ['content', 'source', 'citations', 'tool_references'] as const
/** Deeper than the API's own shapes: message, result, document, source, text. */
const DEEPEST = 8

export function withoutMarkers<T>(value: T, depth = 0): T {
  if (depth > DEEPEST) return value
  if (Array.isArray(value)) return mapShared(value, (entry) => withoutMarkers(entry, depth)) as T
  if (!isObject(value)) return value
  let bare: Loose = without<Loose>(value, 'cache_control')
  for (const key of INNER) {
    const inner = withoutMarkers(bare[key], depth + 1)
    if (inner !== bare[key]) bare = { ...bare, [key]: inner }
  }
  return bare as T
}
