import { type Fields, isFields, listOf } from '../fields.ts'
import type { CacheSettings } from '../wire-format.ts'
import type { AnthropicRequest } from './anthropic-request.ts'

/**
 * What beside tools, system prompt and messages decides whether a prompt is the same. Citations, wherever they are
 * switched on, change the system prompt; the first image changes the messages from the beginning on.
 */
export function anthropicSettings(request: AnthropicRequest): CacheSettings {
  const { model, speed, tool_choice: toolChoice, thinking, output_config: output, messages } = request
  const seen = { images: false, citations: false }
  for (const message of listOf(messages)) if (isFields(message)) look(message.content, seen, 0)
  return {
    model,
    beforeSystem: defined({ speed, format: output?.format, citations: seen.citations || undefined }),
    beforeMessages: defined({ toolChoice, thinking, images: seen.images || undefined }),
    effort: output?.effort ?? null,
  }
}

/** Blocks, and the blocks in results of tools. */
function look(content: unknown, seen: { images: boolean; citations: boolean }, depth: number): void {
  if (!Array.isArray(content)) return
  for (const block of content) {
    if (!isFields(block)) continue
    if (block.type === 'image') seen.images = true
    else if (block.type === 'document' || block.type === 'search_result') {
      if (isFields(block.citations) && block.citations.enabled === true) seen.citations = true
    } else if (block.type === 'tool_result' && depth === 0) look(block.content, seen, 1)
  }
}

/** Without what is not set; null when nothing is. */
function defined(settings: Fields): Fields | null {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null)
  return set.length === 0 ? null : Object.fromEntries(set)
}
