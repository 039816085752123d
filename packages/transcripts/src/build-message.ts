import type {
  AssistantMessage,
  ContentPart,
  MessageExtras,
  ProviderData,
  SystemMessage,
  TextPart,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '@palimpsest/core'

/**
 * Content in its simplest form. One plain text is a string. Parts of a kind that the role does not list are
 * kept, because parts of an unknown kind survive: an image in a tool result is one.
 */
function content<T>(parts: readonly ContentPart[]): string | T[] {
  const [first] = parts
  if (first === undefined) return ''
  if (parts.length === 1 && isPlainText(first)) return first.text
  return [...parts] as T[]
}

function isPlainText(part: ContentPart): part is TextPart {
  return part.type === 'text' && part.providerData === undefined
}

function extras(id: string | undefined, providerData?: ProviderData): MessageExtras {
  return { ...(id !== undefined && { id }), ...(providerData !== undefined && { providerData }) }
}

export function systemMessage(
  role: SystemMessage['role'],
  parts: readonly ContentPart[],
  id?: string,
): SystemMessage {
  return { role, content: content(parts), ...extras(id) }
}

export function userMessage(parts: readonly ContentPart[], id?: string): UserMessage {
  return { role: 'user', content: content(parts), ...extras(id) }
}

/** `isError` is what the host recorded about the result; the text stays as it is. */
export function toolMessage(
  callId: string,
  parts: readonly ContentPart[],
  options: { id?: string | undefined; isError?: boolean } = {},
): ToolMessage {
  const providerData = options.isError ? { transcript: { isError: true } } : undefined
  return { role: 'tool', tool_call_id: callId, content: content(parts), ...extras(options.id, providerData) }
}

export interface AnswerParts {
  readonly parts: readonly ContentPart[]
  readonly calls: readonly ToolCall[]
  /** The provider's own reasoning blocks, opaque. */
  readonly reasoning: readonly unknown[]
  /** The provider whose blocks these are: the key in `providerData`. */
  readonly provider: string
  readonly id?: string | undefined
}

/** Texts of nothing but white space, which models emit before they think, are left out. */
export function assistantMessage({ parts, calls, reasoning, provider, id }: AnswerParts): AssistantMessage {
  const spoken = parts.filter((part) => !isPlainText(part) || part.text.trim() !== '')
  return {
    role: 'assistant',
    content: spoken.length === 0 ? null : content(spoken),
    ...(calls.length > 0 && { tool_calls: [...calls] }),
    ...extras(id, reasoning.length > 0 ? { [provider]: { reasoning: [...reasoning] } } : undefined),
  }
}

export function functionCall(
  id: string,
  name: string,
  args: string,
  providerData?: ProviderData | undefined,
): ToolCall {
  return {
    id,
    type: 'function',
    function: { name, arguments: args },
    ...(providerData !== undefined && { providerData }),
  }
}

export function textPart(text: string): TextPart {
  return { type: 'text', text }
}
