import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import {
  isObject,
  type Loose,
  looseOf,
  type Message,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { withoutUndefined } from '@palimpsest/provider-utils'
import { toBlock } from './content-blocks.ts'
import { langChainData } from './langchain-data.ts'

/**
 * Converts messages to LangChain's: the inverse of `fromLangChainMessages`. Arguments other than a JSON object become
 * `{ input }`.
 */
export function toLangChainMessages(messages: readonly Message[]): BaseMessage[] {
  return messages.map(toLangChain)
}

export function toLangChain(message: Message): BaseMessage {
  const { kwargs, reasoning, metadata, type, role, status, invalid } = langChainData(message)
  const { id, name, refusal } = looseOf(message)
  const calls = toolCallsOf(message).map(toCall)
  const args = new Map(calls.map((call): [unknown, unknown] => [call.id, call.args]))
  const isDeveloper = message.role === 'developer' || (type === 'system' && role === 'developer')
  // The constructors' types are narrower than what providers send.
  const fields = {
    content: toContent(message.content, args),
    additional_kwargs: {
      ...looseOf(kwargs),
      ...looseOf(reasoning),
      ...(typeof refusal === 'string' && { refusal }),
      ...(isDeveloper && { __openai_role__: 'developer' }),
    },
    response_metadata: { ...looseOf(metadata) },
    ...withoutUndefined({ id, name }),
  } as { content: string; name?: string }
  if (type === 'system') return new SystemMessage(fields)
  if (type === 'function') return new FunctionMessage({ ...fields, name: fields.name ?? '' })
  if (type !== undefined) return new ChatMessage({ ...fields, role: String(role ?? type) })
  switch (message.role) {
    case 'system':
    case 'developer':
      return new SystemMessage(fields)
    case 'user':
      return new HumanMessage(fields)
    case 'assistant':
      return new AIMessage({
        ...fields,
        tool_calls: calls,
        invalid_tool_calls: Array.isArray(invalid) ? invalid : [],
      })
    case 'tool':
      return new ToolMessage({
        ...fields,
        tool_call_id: message.tool_call_id,
        ...(status === 'error' && { status }),
      })
  }
}

function toContent(content: Message['content'], args: ReadonlyMap<unknown, unknown>): unknown {
  return Array.isArray(content) ? content.map((part) => toBlock(part, args)) : (content ?? '')
}

function toCall(call: ToolCall): NonNullable<AIMessage['tool_calls']>[number] {
  const others: Loose = langChainData(call)
  return { ...others, type: 'tool_call', id: call.id, name: toolCallName(call), args: argumentsOf(call) }
}

function argumentsOf(call: ToolCall): Record<string, unknown> {
  const input = toolCallInput(call)
  if (call.type === 'custom') return { input }
  try {
    const value: unknown = JSON.parse(input)
    if (isObject(value)) return value
  } catch {}
  return { input }
}
