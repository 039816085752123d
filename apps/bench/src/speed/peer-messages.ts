import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { type Message, messageText, toolCallsOf } from '@palimpsest/core'
import type { ModelMessage } from 'ai'

/** Texts and calls as LangChain has them. The ids are the places in the list. */
export function toLangChain(messages: readonly Message[]): BaseMessage[] {
  return messages.map((message, index) => {
    const fields = { id: String(index), content: messageText(message) }
    if (message.role === 'system') return new SystemMessage(fields)
    if (message.role === 'tool') return new ToolMessage({ ...fields, tool_call_id: message.tool_call_id })
    if (message.role !== 'assistant') return new HumanMessage(fields)
    const calls = callsOf(message).map(({ id, name, args }) => ({ id, name, args }))
    return new AIMessage({ ...fields, tool_calls: calls })
  })
}

/** Texts and calls as the AI SDK has them. */
export function toAiSdk(messages: readonly Message[]): ModelMessage[] {
  const names = new Map(messages.flatMap(callsOf).map(({ id, name }) => [id, name]))
  return messages.map((message): ModelMessage => {
    const text = messageText(message)
    if (message.role === 'system') return { role: 'system', content: text }
    if (message.role === 'tool') {
      const toolCallId = message.tool_call_id
      const output = { type: 'text', value: text } as const
      const toolName = names.get(toolCallId) ?? ''
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    if (message.role !== 'assistant') return { role: 'user', content: text }
    const calls = callsOf(message).map(({ id, name, args }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: args,
    }))
    return { role: 'assistant', content: [{ type: 'text', text }, ...calls] }
  })
}

function callsOf(message: Message) {
  return toolCallsOf(message).map((call) => ({
    id: call.id,
    name: 'function' in call ? call.function.name : '',
    args: 'function' in call ? (JSON.parse(call.function.arguments) as Record<string, unknown>) : {},
  }))
}
