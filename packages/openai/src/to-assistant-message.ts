import type { AssistantMessage, FunctionToolCall, Message } from '@palimpsest/core'
import { createCallIds } from '@palimpsest/provider-utils'
import type { Answer } from './answer.ts'
import { withOpenAiData } from './provider-data.ts'

/**
 * An answer as an assistant message. Reasoning goes to `providerData.openai.reasoning` and is no part of its text.
 */
export function toAssistantMessage(answer: Answer, messages: readonly Message[]): AssistantMessage {
  const { content, refusal, reasoning, calls, responseId } = answer
  const createId = createCallIds({ prefix: 'call-', responseId, messages })
  const toolCalls = calls.map(
    (call): FunctionToolCall => ({
      id: createId(call),
      type: 'function',
      function: { name: call.name, arguments: call.args.trim() === '' ? '{}' : call.args },
      ...withOpenAiData(Object.keys(call.extra).length === 0 ? {} : { extra: call.extra }),
    }),
  )
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(refusal === '' ? {} : { refusal }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...withOpenAiData(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
  }
}
