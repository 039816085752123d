import type { Loose } from '@palimpsest/core'
import { hasText } from '../wrapped-content.ts'

/**
 * Blocks that may carry a breakpoint: those that have `cache_control` in the SDK's types. Thinking never; blocks of
 * an unknown kind neither, because a refused request costs more than one that is not cached.
 */
const CARRIERS: ReadonlySet<unknown> = new Set([
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'container_upload',
  // Beta.
  'compaction',
  'mcp_tool_use',
  'mcp_tool_result',
  'advisor_tool_result',
])

/** True for a block of a message, or of the system prompt, that may carry a breakpoint. */
export function blockCarries(block: Loose): boolean {
  if (block.type === 'text') return hasText(block.text)
  // A compaction that failed has no text, and the API skips it.
  if (block.type === 'compaction') return hasText(block.content)
  return CARRIERS.has(block.type)
}

/** True for a tool that may carry a breakpoint: not for one that is loaded only when the model asks for it. */
export function toolCarries(tool: Loose): boolean {
  return tool.defer_loading !== true
}

/** True for a message whose blocks may carry breakpoints: not for instructions that are taken out again. */
export function messageCarries(message: Loose): boolean {
  return message.clear_at === undefined || message.clear_at === null
}
