import type { AssistantMessage, Message, TokenCounter, ToolMessage } from '@palimpsest/core'

export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): AssistantMessage => ({ role: 'assistant', content })

/** One call and its result. */
export function call(
  name: string,
  args: unknown,
  content: string,
  id = name,
): [AssistantMessage, ToolMessage] {
  const made = { id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } }
  return [
    { role: 'assistant', content: null, tool_calls: [made] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

/** Four characters are a token. */
export const quarter: TokenCounter = {
  countText: (text) => Math.ceil(text.length / 4),
  countMessage: (message) => Math.ceil(JSON.stringify(message).length / 4),
  countTools: (tools) => Math.ceil(JSON.stringify(tools).length / 4),
}

export const words = (count: number, stem = 'word'): string =>
  Array.from({ length: count }, (_, index) => `${stem}${index}`).join(' ')
