import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { type Loose, looseOf, type Message } from '@palimpsest/core'
import { withoutUndefined } from '@palimpsest/provider-utils'
import { fromBlock } from './content-blocks.ts'
import { withLangChainData } from './langchain-data.ts'

/**
 * Members of `additional_kwargs` with reasoning, which is removed when an earlier message changes, and the ids of calls
 * that OpenAI refuses without it.
 */
const REASONING: ReadonlySet<string> = new Set([
  ...['reasoning', 'reasoning_content', 'reasoning_details'],
  ...['__openai_function_call_ids__', '__openai_custom_tool_call_ids__'],
])
/** Members of `additional_kwargs` that describe an answer and are never sent back, or have their own place. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '__openai_role__',
  ...['__raw_response', 'parsed', 'refusal', 'id', 'type', 'role', 'model', 'container'],
  ...['stop_reason', 'stop_sequence', 'stop_details', 'usage'],
])

/**
 * Converts messages of LangChain, one to one, with their ids. `toLangChainMessages` restores what a model is sent:
 * content, calls, reasoning, names, unknown blocks. Usage, response metadata and tool artifacts are left out. Bytes
 * become base64. A later system message becomes a user message.
 */
export function fromLangChainMessages(messages: readonly BaseMessage[]): Message[] {
  let isBeginning = true
  return messages.map((message) => {
    isBeginning &&= message.type === 'system'
    return fromLangChain(message, isBeginning)
  })
}

export function fromLangChain(message: BaseMessage, isBeginning: boolean): Message {
  const { id, name } = message
  const { role, data, ...fields } = shapeOf(message, isBeginning)
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []
  const callIds = new Set<unknown>(calls.map((call) => call.id))
  const { kwargs, reasoning } = splitKwargs(message.additional_kwargs, calls.length > 0)
  const loose: Loose = {
    role,
    content: Array.isArray(message.content)
      ? message.content.map((block) => fromBlock(block, callIds))
      : message.content,
    ...withoutUndefined({ id, name }),
    ...fields,
    ...(calls.length > 0 && { tool_calls: calls.map(fromCall) }),
    ...withLangChainData({ ...data, kwargs, reasoning }),
  }
  return loose as unknown as Message
}

interface Shape extends Loose {
  readonly role: Message['role']
  readonly data?: Loose
}

function shapeOf(message: BaseMessage, isBeginning: boolean): Shape {
  if (AIMessage.isInstance(message)) {
    const { refusal } = message.additional_kwargs
    const { invalid_tool_calls: invalid = [] } = message
    const { output_version, model_provider } = looseOf(message.response_metadata)
    return {
      role: 'assistant',
      ...(typeof refusal === 'string' && { refusal }),
      data: {
        ...(invalid.length > 0 && { invalid: invalid.map((call) => withoutUndefined({ ...call })) }),
        ...(output_version === 'v1' && { metadata: withoutUndefined({ output_version, model_provider }) }),
      },
    }
  }
  if (ToolMessage.isInstance(message)) {
    const { tool_call_id, status } = message
    return { role: 'tool', tool_call_id, ...(status === 'error' && { data: { status } }) }
  }
  const { type } = message
  if (type === 'human') return { role: 'user' }
  if (type === 'system' && isBeginning)
    return { role: message.additional_kwargs.__openai_role__ === 'developer' ? 'developer' : 'system' }
  const { role = message.additional_kwargs.__openai_role__ } = looseOf(message)
  return { role: role === 'assistant' ? 'assistant' : 'user', data: { type, role } }
}

function fromCall({
  id = '',
  name,
  args,
  type: _,
  ...others
}: NonNullable<AIMessage['tool_calls']>[number]): Loose {
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
    ...withLangChainData(others),
  }
}

function splitKwargs(all: Loose, hasCalls: boolean): { readonly kwargs?: Loose; readonly reasoning?: Loose } {
  const entries = Object.entries(withoutUndefined(all)).filter(
    ([key]) => !LEFT_OUT.has(key) && !(hasCalls && key === 'tool_calls'),
  )
  const isReasoning = ([key]: readonly [string, unknown]) => REASONING.has(key)
  const reasoning = entries.filter(isReasoning)
  const kwargs = entries.filter((entry) => !isReasoning(entry))
  return {
    ...(kwargs.length > 0 && { kwargs: Object.fromEntries(kwargs) }),
    ...(reasoning.length > 0 && { reasoning: Object.fromEntries(reasoning) }),
  }
}
