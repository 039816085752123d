import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import {
  freezeMessage,
  looseOf,
  type Message,
  messageText,
  type TokenCounter,
  toolCallsOf,
} from '@palimpsest/core'
import { fromLangChainMessages, toLangChainMessages } from '@palimpsest/langchain'
import { rememberNames, type ToolNames } from './peer-arm.ts'

interface Known {
  readonly source: Message
  readonly content: BaseMessage['content']
  readonly calls: AIMessage['tool_calls']
}

export function createLangChainTranscript(tokens: TokenCounter) {
  const names: ToolNames = new Map()
  // LangChain copies messages with their ids and reuses ids for new messages, so their content decides.
  const byId = new Map<string, Known>()
  const written = new WeakMap<BaseMessage, Known>()
  let length = 0

  const read = (message: BaseMessage): Message => {
    const known = [byId.get(message.id ?? ''), written.get(message)].find(
      (it) => it && message.content === it.content && callsOf(message) === it.calls,
    )
    if (known !== undefined) return known.source
    const source = freezeMessage(fromLangChain(message))
    written.set(message, remember(source, message))
    return source
  }
  return {
    read,
    count: (messages: readonly BaseMessage[]): number =>
      messages.reduce((sum, message) => sum + tokens.countMessage(read(message)), 0),
    /** Ids are positions in the transcript, so nothing is random. */
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

function callsOf(message: BaseMessage): AIMessage['tool_calls'] {
  return AIMessage.isInstance(message) ? message.tool_calls : undefined
}

export function toLangChain(message: Message, id: string, toolName = ''): BaseMessage {
  const name = message.role === 'tool' ? { name: toolName } : {}
  const content = typeof message.content === 'string' ? message.content : messageText(message)
  const [twin] = toLangChainMessages([{ ...message, ...name, id, content } as Message])
  if (twin === undefined) throw new Error('a message is one message')
  return twin
}

export function fromLangChain(message: BaseMessage): Message {
  const [{ role, tool_calls, tool_call_id } = {}] = fromLangChainMessages([message]).map(looseOf)
  return {
    role,
    content: message.text,
    ...(tool_calls !== undefined && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
  } as Message
}
