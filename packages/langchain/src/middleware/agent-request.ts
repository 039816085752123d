import { type BaseMessage, SystemMessage } from '@langchain/core/messages'
import {
  copyValue,
  freezeMessage,
  isInstruction,
  type Message,
  messageText,
  type Prepared,
  type SystemMessage as WireSystem,
} from '@palimpsest/core'
import { fromLangChain, fromLangChainMessages } from '../messages/from-langchain.ts'
import { toLangChain } from '../messages/to-langchain.ts'

export interface AgentMessages {
  readonly systemMessage: SystemMessage
  readonly messages: BaseMessage[]
}

export interface AgentRequest {
  readonly system: WireSystem | undefined
  readonly leading: readonly BaseMessage[]
  readonly body: readonly BaseMessage[]
  readonly wire: readonly Message[]
}

export function readRequest({ systemMessage, messages }: AgentMessages): AgentRequest {
  const other = messages.findIndex(({ type }) => type !== 'system')
  const from = other === -1 ? messages.length : other
  const leading = messages.slice(0, from)
  const body = messages.slice(from)
  const system = joinSystem([systemMessage, ...leading])
  return { system, leading, body, wire: [...(system === undefined ? [] : [system]), ...body.map(toWire)] }
}

export function composeRequest(
  systemMessage: SystemMessage,
  { system, leading, body }: AgentRequest,
  { messages, origins }: Pick<Prepared, 'messages' | 'origins'>,
): AgentMessages {
  const [first] = messages
  const sentSystem = first !== undefined && isInstruction(first) ? first : undefined
  const from = system === undefined ? 0 : 1
  const sent = messages.flatMap((message, index) => {
    if (message === sentSystem) return []
    const origin = origins[index]
    const own = origin?.from === 'transcript' && origin.whole ? body[origin.index - from] : undefined
    if (own !== undefined) return [own]
    // The id belongs to other text, and OpenAI refuses its ids without the reasoning that belongs to them.
    const { id: _, ...made } = message
    return [toLangChain(made)]
  })
  return { systemMessage: withNote(systemMessage, system, sentSystem), messages: [...leading, ...sent] }
}

function joinSystem(messages: readonly BaseMessage[]): WireSystem | undefined {
  const parts = fromLangChainMessages(messages).filter(isInstruction)
  const said = parts.filter((part) => messageText(part) !== '')
  const [first] = said
  if (first === undefined || said.length === 1) return first
  return { role: first.role, content: said.map((part) => ({ type: 'text', text: messageText(part) })) }
}

function withNote(
  systemMessage: SystemMessage,
  own: WireSystem | undefined,
  sent: WireSystem | undefined,
): SystemMessage {
  const before = own === undefined ? '' : messageText(own)
  const note = sent === undefined ? '' : messageText(sent).slice(before.length)
  if (note.trim() === '') return systemMessage
  const { content } = systemMessage
  const isEmpty = content.length === 0
  const text = isEmpty ? note.trimStart() : note
  return new SystemMessage({
    ...systemMessage,
    content: typeof content === 'string' ? content + text : [...content, { type: 'text', text }],
  })
}

interface Converted {
  readonly fields: readonly unknown[]
  readonly message: Message
}

const converted = new WeakMap<BaseMessage, Converted>()

/**
 * A frozen message, so that a session need not copy it. LangGraph keeps its objects between the steps of a run, but
 * other middleware may change their members.
 */
function toWire(message: BaseMessage): Message {
  const { id, name, content, additional_kwargs, tool_calls } = message as BaseMessage & {
    tool_calls?: unknown
  }
  const fields = [id, name, content, additional_kwargs, tool_calls]
  const known = converted.get(message)
  if (known?.fields.every((field, index) => field === fields[index])) return known.message
  const wire = freezeMessage(copyValue(fromLangChain(message, false)))
  converted.set(message, { fields, message: wire })
  return wire
}
