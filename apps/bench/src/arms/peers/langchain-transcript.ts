import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { freezeMessage, type Message, type TokenCounter, toolCallsOf } from '@palimpsest/core'
import { rememberNames, type ToolNames } from './call-arguments.ts'
import { fromLangChain, toLangChain } from './langchain-messages.ts'

export interface LangChainTranscript {
  /** What the transcript has more than at the last call. Ids are places in the transcript, so nothing is random. */
  append(transcript: readonly Message[]): BaseMessage[]
  /** The message of the transcript that it was, or what it says when the peer wrote or changed it. */
  read(message: BaseMessage): Message
  count(messages: readonly BaseMessage[]): number
}

interface Known {
  readonly source: Message
  readonly content: BaseMessage['content']
  readonly calls: AIMessage['tool_calls']
}

export function createLangChainTranscript(tokens: TokenCounter): LangChainTranscript {
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
    read,
    count: (messages) => messages.reduce((sum, message) => sum + tokens.countMessage(read(message)), 0),
    append(transcript) {
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
