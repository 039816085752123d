import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { type Message, messageText, toolCallName, toolCallsOf } from '@palimpsest/core'
import { callArguments, functionCall } from './call-arguments.ts'

/** A message as LangChain holds it. Results carry the name of their tool, as its tool node writes them. */
export function toLangChain(message: Message, id: string, toolName = ''): BaseMessage {
  const content = typeof message.content === 'string' ? message.content : messageText(message)
  switch (message.role) {
    case 'system':
    case 'developer':
      return new SystemMessage({ id, content })
    case 'user':
      return new HumanMessage({ id, content })
    case 'assistant':
      return new AIMessage({
        id,
        content,
        tool_calls: toolCallsOf(message).map((call) => ({
          type: 'tool_call',
          id: call.id,
          name: toolCallName(call),
          args: callArguments(call),
        })),
      })
    case 'tool':
      return new ToolMessage({ id, content, tool_call_id: message.tool_call_id, name: toolName })
  }
}

export function fromLangChain(message: BaseMessage): Message {
  const content = message.text
  if (SystemMessage.isInstance(message)) return { role: 'system', content }
  if (ToolMessage.isInstance(message)) return { role: 'tool', tool_call_id: message.tool_call_id, content }
  if (!AIMessage.isInstance(message)) return { role: 'user', content }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => functionCall(id, name, args))
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
}
