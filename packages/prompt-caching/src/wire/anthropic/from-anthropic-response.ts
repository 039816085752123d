import {
  type AssistantMessage,
  type FunctionToolCall,
  isObject,
  type Loose,
  type ProviderData,
} from '@palimpsest/core'
import { jsonText, listOf } from '../content.ts'

/** The fields of Anthropic's response that are read. */
export interface AnthropicResponse {
  readonly content: readonly object[]
}

/**
 * Converts an answer to our message: texts, calls, and unchanged thinking, so that `toAnthropicRequest` sends it back
 * in its order. Empty texts and other blocks, such as those of server tools, are left out.
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

/** The number of blocks before a call or thinking, for `toAnthropicRequest`, unless it is the usual one. */
function placed(before: number, usual: number): { readonly providerData?: ProviderData } {
  return before === usual ? {} : { providerData: { anthropic: { before } } }
}

function toToolCall({ id, name, input }: Loose): FunctionToolCall {
  return {
    id: String(id),
    type: 'function',
    function: { name: String(name), arguments: jsonText(input ?? {}) },
  }
}
