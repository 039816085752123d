import type { Message } from '../spec/v1/index.ts'

const REASONING_FIELDS: ReadonlySet<string> = new Set([
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'thinking',
])
const REASONING_PARTS: ReadonlySet<unknown> = new Set(['reasoning', 'thinking', 'redacted_thinking'])

/** True when a message carries reasoning: a known field, a part, or `providerData.<provider>.reasoning`. */
export function hasReasoning(message: Message): boolean {
  return stripReasoning(message) !== message
}

/**
 * The message without its reasoning; the same object when it has none. Newer models bind reasoning to
 * everything before it, so it must go from every kept message behind an edit. Data on a tool call, such as
 * a thought signature, stays with its call.
 */
export function stripReasoning<M extends Message>(message: M): M {
  if (message.role !== 'assistant') return message
  let copy: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(message)) {
    if (REASONING_FIELDS.has(key)) {
      copy ??= { ...message }
      delete copy[key]
    } else if (key === 'content' && Array.isArray(value) && value.some(isReasoningPart)) {
      copy ??= { ...message }
      const kept = value.filter((part) => !isReasoningPart(part))
      // Providers refuse an empty list, and take a message with calls and no content.
      copy[key] = kept.length === 0 ? null : kept
    } else if (key === 'providerData' && typeof value === 'object' && value !== null) {
      const data = stripProviderData(value as Record<string, unknown>)
      if (data === value) continue
      copy ??= { ...message }
      copy[key] = data
    }
  }
  return (copy ?? message) as M
}

function isReasoningPart(part: unknown): boolean {
  return typeof part === 'object' && part !== null && REASONING_PARTS.has((part as { type?: unknown }).type)
}

function stripProviderData(data: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const [provider, value] of Object.entries(data)) {
    if (typeof value !== 'object' || value === null || !('reasoning' in value)) continue
    const { reasoning: _, ...rest } = value
    copy ??= { ...data }
    copy[provider] = rest
  }
  return copy ?? data
}
