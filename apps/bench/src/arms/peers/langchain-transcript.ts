import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import {
  freezeMessage,
  type Message,
  messageText,
  type TokenCounter,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { callArguments, functionCall, rememberNames, type ToolNames } from './call-arguments.ts'

interface Known {
  readonly source: Message
  readonly content: BaseMessage['content']
  readonly calls: AIMessage['tool_calls']
}

export function createLangChainTranscript(tokens: TokenCounter) {
  const names: ToolNames = new Map()
  // LangChain copies messages with their ids, and gives ids of old messages to new ones: what they say decides.
  const byId = new Map<string, Known>()
  const written = new WeakMap<BaseMessage, Known>()
  let length = 0

  const read = (message: BaseMessage): Message => {
    const known = [byId.get(message.id ?? ''), written.get(message)].find(
      (it) => it && isUnchanged(message, it),
    )
    if (known !== undefined) return known.source
    const source = freezeMessage(fromLangChain(message))
    written.set(message, remember(source, message))
    return source
  }
  return {
    /** The message of the transcript that it was, or what it says when the peer wrote or changed it. */
    read,
    count: (messages: readonly BaseMessage[]): number =>
      messages.reduce((sum, message) => sum + tokens.countMessage(read(message)), 0),
    /** The messages since the last call. Ids are places in the transcript, so nothing is random. */
    append(transcript: readonly Message[]): BaseMessage[] {
      const added = transcript.slice(length).map((source, index) => {
        rememberNames(names, toolCallsOf(source))
        const toolName = source.role === 'tool' ? names.get(source.tool_call_id) : undefined
        const id = `m${length + index}`
        const message = toLangChain(source, id, toolName)
        byId.set(id, remember(source, message))
        return message
      })
      length = transcript.length
      return added
    },
  }
}

function remember(source: Message, message: BaseMessage): Known {
  return { source, content: message.content, calls: callsOf(message) }
}

function isUnchanged(message: BaseMessage, { content, calls }: Known): boolean {
  return message.content === content && callsOf(message) === calls
}

function callsOf(message: BaseMessage): AIMessage['tool_calls'] {
  return AIMessage.isInstance(message) ? message.tool_calls : undefined
}

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
