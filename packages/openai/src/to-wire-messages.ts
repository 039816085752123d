import { isObject, type Loose, looseOf, type Message, ModelError } from '@palimpsest/core'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { reasoningFields } from './add-reasoning.ts'
import type { Dialect } from './dialect.ts'
import { openAiData } from './provider-data.ts'

/**
 * Messages as the wire knows them: without our `id` and `providerData`, which OpenAI refuses. Everything else stays,
 * because fields that only some servers know, such as `cache_control`, are there for them. Throws
 * `MODEL_INVALID_REQUEST` when there is nothing to send.
 */
export function toWireMessages(messages: readonly Message[], dialect: Dialect): ChatCompletionMessageParam[] {
  const wire = messages.filter(isObject).map((message) => wireMessage({ ...message }, dialect))
  if (wire.length === 0)
    throw new ModelError('invalid-request', 'there is nothing to send: the list of messages is empty')
  // Our types equal those of the SDK without the two fields, and a transcript may hold more than either knows.
  return wire as unknown as ChatCompletionMessageParam[]
}

function wireMessage(message: Loose, dialect: Dialect): Loose {
  const { id: _, providerData: __, tool_calls: calls, ...known } = message
  const wire = {
    ...known,
    ...(Array.isArray(known.content) ? { content: wireContent(known.content, dialect) } : {}),
  }
  // The chat templates of other models know one role for instructions.
  if (message.role === 'developer' && !dialect.isOpenAi) return { ...wire, role: 'system' }
  if (message.role !== 'assistant') return wire
  // An empty list is refused.
  const toolCalls = Array.isArray(calls) && calls.length > 0 ? calls : undefined
  return {
    ...wire,
    ...wireReasoning(message, toolCalls !== undefined, dialect),
    ...(toolCalls && { tool_calls: toolCalls.map((call) => wireCall(call, dialect)) }),
  }
}

/**
 * Text in parts becomes one text where it can: DeepSeek, and chat templates of other models, take a list in few places
 * or in none. A part that says more, such as a marker for a cache, stays one.
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

/** A part with nothing but another provider's data becomes a text that says so, because the model should know. */
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
 * Reasoning goes back with the calls that it led to, in the fields in which it came: Kimi and models behind OpenRouter
 * refuse a call, or think worse, without it. With other answers it goes to servers only that want it with every one.
 * OpenAI knows no such fields.
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
