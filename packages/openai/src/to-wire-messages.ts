import { isObject, type Loose, looseOf, type Message, ModelError } from '@palimpsest/core'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { reasoningFields } from './add-reasoning.ts'
import type { Dialect } from './dialect.ts'
import { openAiData } from './provider-data.ts'

/**
 * Removes `id` and `providerData`, which OpenAI refuses. Other fields stay, because they may be meant for a certain
 * server, such as `cache_control`. Throws `MODEL_INVALID_REQUEST` if there is nothing to send.
 */
export function toWireMessages(messages: readonly Message[], dialect: Dialect): ChatCompletionMessageParam[] {
  const wire = messages.filter(isObject).map((message) => wireMessage({ ...message }, dialect))
  if (wire.length === 0)
    throw new ModelError('invalid-request', 'there is nothing to send: the list of messages is empty')
  // Our types equal the SDK's without the two fields, and a transcript may contain more than either knows.
  return wire as unknown as ChatCompletionMessageParam[]
}

function wireMessage(message: Loose, dialect: Dialect): Loose {
  const { id: _, providerData: __, tool_calls: calls, ...known } = message
  const wire = {
    ...known,
    ...(Array.isArray(known.content) ? { content: wireContent(known.content, dialect) } : {}),
  }
  // Other models' chat templates have one role for instructions.
  if (message.role === 'developer' && !dialect.isOpenAi) return { ...wire, role: 'system' }
  if (message.role !== 'assistant') return wire
  const toolCalls = Array.isArray(calls) && calls.length > 0 ? calls : undefined
  return {
    ...wire,
    ...wireReasoning(message, toolCalls !== undefined, dialect),
    ...(toolCalls && { tool_calls: toolCalls.map((call) => wireCall(call, dialect)) }),
  }
}

/**
 * Joins text parts if possible: DeepSeek and other models' chat templates accept lists rarely or never. A part with
 * other fields, such as a cache marker, stays separate.
 */
function wireContent(parts: readonly unknown[], { isOpenAi }: Dialect): unknown {
  const wired = parts.map(wirePart)
  if (isOpenAi || !wired.every(isPlainText)) return wired
  return wired.map(({ text }) => text).join('\n')
}

function isPlainText(part: unknown): part is { readonly text: string } {
  return (
    isObject(part) && part.type === 'text' && typeof part.text === 'string' && Object.keys(part).length === 2
  )
}

/** Other providers' opaque parts become a text that names them, so that the model knows. */
function wirePart(part: unknown): unknown {
  if (!isObject(part)) return part
  const { providerData: _, ...known } = part
  if (Object.keys(known).some((key) => key !== 'type')) return known
  return {
    type: 'text',
    text: `[content of the type ${JSON.stringify(part.type ?? null)} cannot be shown here]`,
  }
}

function wireCall(call: unknown, { isOpenAi }: Dialect): unknown {
  if (!isObject(call)) return call
  const { providerData: _, ...known } = call
  return isOpenAi ? known : { ...looseOf(openAiData(call).extra), ...known }
}

/**
 * Reasoning is sent back with its calls, in its original fields: Kimi and models on OpenRouter refuse a call without
 * it, or answer worse. With other answers it is sent only to servers that require it. OpenAI does not know these
 * fields.
 */
function wireReasoning(message: Loose, calls: boolean, { isOpenAi, reasoningContent }: Dialect): Loose {
  if (isOpenAi || !(calls || reasoningContent)) return {}
  const kept = looseOf(openAiData(message).reasoning)
  const fields = reasoningFields.filter((field) => field in kept).map((field) => [field, kept[field]])
  return {
    ...(reasoningContent && !('reasoning_content' in message) ? { reasoning_content: '' } : {}),
    ...Object.fromEntries(fields),
  }
}
