import {
  type AssistantMessage,
  type ContentPart,
  isObject,
  type Loose,
  type MessageExtras,
  type ProviderData,
  type SystemMessage,
  type TextPart,
  type ToolCall,
  type ToolMessage,
  type ToolSchema,
  type UserMessage,
} from '@palimpsest/core'
import { stringOf } from './json.ts'

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

export function toolMessage(
  callId: string,
  parts: readonly ContentPart[],
  options: { id?: string | undefined; isError?: boolean } = {},
): ToolMessage {
  const providerData = options.isError ? { transcript: { isError: true } } : undefined
  return { role: 'tool', tool_call_id: callId, content: content(parts), ...extras(options.id, providerData) }
}

export interface AnswerBlocks {
  readonly parts: readonly ContentPart[]
  readonly calls: readonly ToolCall[]
  readonly reasoning: readonly Loose[]
}

interface AnswerParts extends AnswerBlocks {
  readonly provider: string
  readonly id?: string | undefined
}

/** White space before thinking is left out. */
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

export function toolSchema(name: string, description: unknown, parameters: Loose): ToolSchema {
  const text = typeof description === 'string' && { description }
  return { type: 'function', function: { name, ...text, parameters } }
}

export function textPart(text: string): TextPart {
  return { type: 'text', text }
}

/**
 * Recorded content as parts. A string is one text, null is nothing, and other values become JSON text. A block for
 * which `convert` returns undefined is kept unchanged.
 */
export function recordedParts(
  recorded: unknown,
  convert: (block: Loose) => ContentPart | undefined = () => undefined,
): ContentPart[] {
  if (recorded === undefined || recorded === null || recorded === '') return []
  const blocks: readonly unknown[] = Array.isArray(recorded) ? recorded : [recorded]
  return blocks
    .filter((block) => block !== undefined && block !== null)
    .map((block) => {
      if (!isObject(block)) return textPart(stringOf(block) ?? JSON.stringify(block))
      return convert(block) ?? knownOrOpaque(block)
    })
}

function knownOrOpaque(block: Loose): ContentPart {
  if (block.type === 'text') {
    return (typeof block.text === 'string'
      ? block
      : { ...block, text: JSON.stringify(block.text) ?? '' }) as unknown as ContentPart
  }
  return (typeof block.type === 'string' ? block : textPart(JSON.stringify(block))) as ContentPart
}

export function imagePart(mediaType: string, data: string): ContentPart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } }
}
