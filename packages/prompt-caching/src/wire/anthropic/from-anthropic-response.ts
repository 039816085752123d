import { type AssistantMessage, type FunctionToolCall, isObject, type Loose } from '@palimpsest/core'
import { listOf } from '../lists.ts'
import { wireText } from '../wire-text.ts'

/** The members of an answer of Anthropic's Messages API that are read. */
export interface AnthropicResponse {
  readonly content: readonly object[]
}

/**
 * An answer as our message: texts, calls, and thinking as it was written, so that `toAnthropicRequest` sends back what
 * came. Blocks of other kinds, such as those of server tools, are left out.
 */
export function fromAnthropicResponse({ content }: AnthropicResponse): AssistantMessage {
  const blocks = listOf(content).filter(isObject)
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toToolCall)
  const reasoning = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  const [only = null] = texts
  return {
    role: 'assistant',
    content: texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : only,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning.length > 0 && { providerData: { anthropic: { reasoning } } }),
  }
}

function toToolCall({ id, name, input }: Loose): FunctionToolCall {
  // Empty for what JSON cannot write.
  const written = wireText(input ?? {}) || '{}'
  return { id: String(id), type: 'function', function: { name: String(name), arguments: written } }
}
