import {
  type AssistantMessage,
  type FunctionToolCall,
  isObject,
  type Loose,
  type ProviderData,
} from '@palimpsest/core'
import { listOf } from '../content.ts'
import { wireText } from '../wire-text.ts'

/** The members of an answer of Anthropic's Messages API that are read. */
export interface AnthropicResponse {
  readonly content: readonly object[]
}

/**
 * An answer as our message: texts, calls, and thinking as it was written, so that `toAnthropicRequest` sends back what
 * came, in its order. Empty texts and blocks of other kinds, such as those of server tools, are left out.
 */
export function fromAnthropicResponse({ content }: AnthropicResponse): AssistantMessage {
  const texts: string[] = []
  const uses: { readonly block: Loose; readonly before: number }[] = []
  const reasoning: Loose[] = []
  for (const block of listOf(content).filter(isObject)) {
    const { type, text } = block
    if (type === 'text' && typeof text === 'string' && text !== '') texts.push(text)
    else if (type === 'tool_use') uses.push({ block, before: texts.length })
    else if (type === 'thinking' || type === 'redacted_thinking')
      reasoning.push({ ...block, ...placed(texts.length + uses.length, 0) })
  }
  const calls = uses.map(({ block, before }) => ({ ...toToolCall(block), ...placed(before, texts.length) }))
  const [only = null] = texts
  return {
    role: 'assistant',
    content: texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : only,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(reasoning.length > 0 && { providerData: { anthropic: { reasoning } } }),
  }
}

/**
 * The number of blocks before a call (of texts) or before thinking (of texts and calls), for `toAnthropicRequest`. The
 * usual number is not written.
 */
function placed(before: number, usual: number): { readonly providerData?: ProviderData } {
  return before === usual ? {} : { providerData: { anthropic: { before } } }
}

function toToolCall({ id, name, input }: Loose): FunctionToolCall {
  // Empty for what JSON cannot write.
  const written = wireText(input ?? {}) || '{}'
  return { id: String(id), type: 'function', function: { name: String(name), arguments: written } }
}
