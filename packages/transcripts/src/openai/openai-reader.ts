import { isObject, type Loose, looseOf, type Message, type ToolCall, type ToolSchema } from '@palimpsest/core'
import { anthropicMessage, isAnthropic } from '../anthropic/anthropic-blocks.ts'
import { recordedParts, toolSchema } from '../build-message.ts'
import { nameOf, quote, stringOf, timestampOf, toolArguments } from '../json.ts'
import type { ReadingLog, ReadMessages, RecordedMessage, SessionReader } from '../recorded-item.ts'
import { apiUsage } from '../usage.ts'

interface RecordedEntry {
  readonly value: unknown
  readonly place: number
}

interface Conversation {
  readonly entries: readonly RecordedEntry[]
  readonly model?: string | undefined
  readonly system?: unknown
}

/**
 * Reads conversations in OpenAI's or Anthropic's shape: an array of messages, an object with `messages`, one message
 * per line, or one such array or object per line. Of several conversations, such as a fine-tuning set, the first
 * longest one is read. All messages together decide the shape, because some are the same in both. A session of Hermes
 * Agent has one message per line, after a row of role `session_meta` with its tools.
 */
export function createOpenaiReader(log: ReadingLog): SessionReader {
  const single: RecordedEntry[] = []
  let longest: Conversation | undefined
  let conversations = 0
  let header: Loose = {}

  const offer = (conversation: Conversation) => {
    conversations++
    if (longest === undefined || conversation.entries.length > longest.entries.length) longest = conversation
  }
  const readArray = (array: readonly unknown[]) => {
    const nested = array.filter(isConversation)
    if (nested.length === 0) return offer({ entries: placed(array) })
    for (const conversation of nested) readConversation(conversation)
    if (nested.length < array.length) log.skip('value beside the conversations', array.length - nested.length)
  }
  const readConversation = (value: unknown) => {
    if (Array.isArray(value)) return offer({ entries: placed(value) })
    if (!isObject(value) || !Array.isArray(value.messages)) return
    offer({ entries: placed(value.messages), model: nameOf(value.model), system: value.system })
  }

  return {
    read(value, line) {
      if (Array.isArray(value)) readArray(value)
      else if (isConversation(value)) readConversation(value)
      else if (looseOf(value).role === 'session_meta') header = looseOf(value)
      else single.push({ value, place: line })
    },
    finish() {
      if (single.length > 0) offer({ entries: single })
      if (conversations > 1) log.skip('other conversation in the file', conversations - 1)
      const { entries = [], system, model } = longest ?? {}
      const anthropic = Boolean(system) || isAnthropic(entries.map(({ value }) => value))
      const first = system ? [{ value: { role: 'system', content: system }, place: 1 }] : []
      const items = [...first, ...entries].flatMap((entry) => readEntry(entry, anthropic, log))
      const startedAt = items.find(({ timestamp }) => timestamp !== undefined)?.timestamp
      return {
        items,
        format: anthropic ? 'anthropic' : undefined,
        model: model ?? nameOf(header.model),
        startedAt: timestampOf(header.timestamp) ?? startedAt,
        ...(Array.isArray(header.tools) && { tools: header.tools.flatMap(headerTool) }),
      }
    },
  }
}

function headerTool(recorded: unknown): ToolSchema[] {
  const { name, description, parameters } = looseOf(looseOf(recorded).function)
  return nameOf(name) === undefined ? [] : [toolSchema(String(name), description, looseOf(parameters))]
}

function placed(messages: readonly unknown[]): RecordedEntry[] {
  return messages.map((value, index) => ({ value, place: index + 1 }))
}

function isConversation(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isObject)
  return isObject(value) && Array.isArray(value.messages) && value.role === undefined
}

function readEntry(
  { value, place }: RecordedEntry,
  anthropic: boolean,
  log: ReadingLog,
): readonly RecordedMessage[] {
  const read = anthropic ? anthropicMessage(value, place) : openaiMessage(value, place)
  if ('messages' in read) return read.messages
  log.reject(place, read.fault)
  return []
}

const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/**
 * One message of OpenAI's Chat Completions. Unknown fields are kept; content of a wrong type and invalid arguments are
 * repaired. `place` makes ids for calls without one.
 */
function openaiMessage(recorded: unknown, place: number): ReadMessages {
  if (!isObject(recorded)) return { fault: 'not a message object' }
  const { usage, timestamp, model, tool_calls, id, providerData, ...rest } = recorded
  const { role } = rest
  if (!roles.has(role)) return { fault: `unknown role ${quote(role)}` }
  const isAnswer = role === 'assistant'
  const content = contentOf(rest.content)
  if (content === undefined) return { fault: 'content that is neither text nor a list of parts' }
  const calls = isAnswer ? callsOf(tool_calls, place) : []
  if (calls === undefined) return { fault: 'a tool call without a name' }
  if (role === 'tool' && stringOf(rest.tool_call_id) === undefined)
    return { fault: 'a tool result without a tool_call_id' }
  const message = {
    ...rest,
    ...(nameOf(id) !== undefined && { id }),
    ...(isObject(providerData) && { providerData }),
    content: isAnswer ? content : (content ?? ''),
    ...(calls.length > 0 && { tool_calls: calls }),
  } as unknown as Message
  const about = { line: place, usage: apiUsage(usage), timestamp: timestampOf(timestamp) }
  return { messages: [{ kind: 'message', message, ...about, model: isAnswer ? nameOf(model) : undefined }] }
}

function contentOf(recorded: unknown): unknown {
  if (recorded === undefined || recorded === null) return null
  if (typeof recorded === 'string') return recorded
  return Array.isArray(recorded) ? recordedParts(recorded) : undefined
}

function callsOf(toolCalls: unknown, place: number): ToolCall[] | undefined {
  const list = toolCalls ?? []
  if (!Array.isArray(list)) return undefined
  const calls = list.map((call, index) => toolCall(looseOf(call), `call_${place}_${index}`))
  return calls.every((call) => call !== undefined) ? calls : undefined
}

function toolCall(call: Loose, defaultId: string): ToolCall | undefined {
  const id = stringOf(call.id) ?? defaultId
  if (call.type === 'custom') {
    const custom = looseOf(call.custom)
    const name = nameOf(custom.name)
    if (name === undefined) return undefined
    return { ...call, id, type: 'custom', custom: { ...custom, name, input: stringOf(custom.input) ?? '' } }
  }
  const called = looseOf(call.function)
  const name = nameOf(called.name)
  if (name === undefined) return undefined
  return {
    ...call,
    id,
    type: 'function',
    function: { ...called, name, arguments: toolArguments(called.arguments) },
  }
}
