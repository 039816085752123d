import type { AssistantMessage, FunctionToolCall, Message } from '@palimpsest/core'
import { callFields, createCallIds, type StreamedCall } from '@palimpsest/provider-utils'
import type { Answer } from './answer.ts'
import { withOpenAiData } from './provider-data.ts'

/**
 * An answer as an assistant message. Reasoning goes to `providerData.openai.reasoning` and is no part of its text.
 */
export function toAssistantMessage(answer: Answer, messages: readonly Message[]): AssistantMessage {
  const { content, refusal, reasoning, calls, responseId } = answer
  const createId = createCallIds({ prefix: 'call-', responseId, messages })
  const toToolCall = ({ call }: StreamedCall): FunctionToolCall => {
    const { id, name, input } = callFields(call)
    const { id: _, type: __, function: ___, ...extra } = call
    return {
      id: createId({ id, name, args: input }),
      type: 'function',
      function: { name, arguments: input.trim() === '' ? '{}' : input },
      ...withOpenAiData(Object.keys(extra).length === 0 ? {} : { extra }),
    }
  }
  const toolCalls = calls.map(toToolCall)
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(refusal === '' ? {} : { refusal }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...withOpenAiData(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
  }
}
