import type { AssistantMessage, ImageContent, TextContent, ToolCall } from '@earendil-works/pi-ai'
import type { ContextEvent, SessionEntry } from '@earendil-works/pi-coding-agent'
import {
  contentParts,
  hasReasoning,
  looseOf,
  type Message,
  messageText,
  toolCallInput,
  toolCallsOf,
} from '@palimpsest/core'

/** A message of pi. */
export type PiMessage = ContextEvent['messages'][number]

/** The facts that pi needs of an answer that no model gave. */
export type AnswerFrame = Pick<AssistantMessage, 'api' | 'provider' | 'model'>

const NO_USAGE: AssistantMessage['usage'] = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/** The message of an entry, a copy; undefined for an entry that is none. */
export function entryMessage(entry: SessionEntry): PiMessage | undefined {
  const timestamp = Date.parse(entry.timestamp)
  if (entry.type === 'message') return structuredClone(entry.message)
  if (entry.type === 'branch_summary')
    return { role: 'branchSummary', summary: entry.summary, fromId: entry.fromId, timestamp }
  if (entry.type !== 'custom_message') return undefined
  const { customType, content, display, details } = structuredClone(entry)
  return { role: 'custom', customType, content, display, details, timestamp }
}

/**
 * A message of a projection that does not stand in pi's session as it is: a summary, a shortened result, an answer
 * without its reasoning.
 *
 * @param entry The entry that it was made of, if there is one.
 * @param toolName The tool whose result it is.
 */
export function toPiMessage(
  message: Message,
  entry: SessionEntry | undefined,
  { frame, toolName }: { readonly frame: AnswerFrame; readonly toolName: string },
): PiMessage {
  const own = entry?.type === 'message' ? entry.message : undefined
  const timestamp = entry === undefined ? 0 : Date.parse(entry.timestamp)
  if (message.role === 'assistant')
    return own?.role === 'assistant' ? editedAnswer(message, own) : madeAnswer(message, frame)
  if (message.role !== 'tool') return { role: 'user', content: blocksOf(message), timestamp }
  const content = blocksOf(message)
  if (own?.role === 'toolResult') return { ...structuredClone(own), content }
  const { tool_call_id: toolCallId } = message
  return { role: 'toolResult', toolCallId, toolName, content, isError: false, timestamp }
}

function madeAnswer(message: Message, frame: AnswerFrame): AssistantMessage {
  const content = [...textBlocks(message), ...toolCallsOf(message).map((call) => toCall(call))]
  return { role: 'assistant', content, ...frame, usage: NO_USAGE, stopReason: 'stop', timestamp: 0 }
}

function editedAnswer(message: Message, own: AssistantMessage): AssistantMessage {
  const isBare = !hasReasoning(message)
  const kept = structuredClone(own.content).filter(({ type }) => type !== 'thinking' || !isBare)
  const ownText = kept.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const isSameText =
    ownText.trim() === '' || messageText(message).replaceAll('\n', '') === ownText.replaceAll('\n', '')
  const spoken = isSameText
    ? kept.filter(({ type }) => type !== 'toolCall')
    : [...kept.filter(({ type }) => type === 'thinking'), ...textBlocks(message)]
  const calls = toolCallsOf(message).map((call) =>
    toCall(
      call,
      kept.find((block) => block.type === 'toolCall' && block.id === call.id),
    ),
  )
  // The items of OpenAI's Responses belong to their reasoning: another model's are sent without their ids.
  const model = isBare && own.api.includes('responses') ? `${own.model} (edited)` : own.model
  return { ...own, model, content: [...spoken, ...calls] }
}

function toCall(call: ReturnType<typeof toolCallsOf>[number], own?: unknown): ToolCall {
  const known = looseOf(own) as Partial<ToolCall>
  const input: unknown = JSON.parse(toolCallInput(call))
  const name = call.type === 'function' ? call.function.name : call.custom.name
  return { ...known, type: 'toolCall', id: call.id, name, arguments: looseOf(input) as ToolCall['arguments'] }
}

function textBlocks(message: Message): TextContent[] {
  const text = messageText(message)
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

function blocksOf(message: Message): (TextContent | ImageContent)[] {
  return contentParts(message).flatMap((part): (TextContent | ImageContent)[] => {
    const { type, text, image_url: image } = looseOf(part)
    if (type === 'text' && typeof text === 'string') return [{ type: 'text', text }]
    const data = /^data:([^;,]+);base64,(.*)$/s.exec(String(looseOf(image).url ?? ''))
    if (data?.[1] !== undefined && data[2] !== undefined)
      return [{ type: 'image', mimeType: data[1], data: data[2] }]
    return [{ type: 'text', text: JSON.stringify(part) }]
  })
}
