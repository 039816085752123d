import type { AssistantMessage, ChatModel, FunctionToolCall, Message } from '@palimpsest/core'
import {
  type CallFields,
  callFields,
  createCallIds,
  isJson,
  type StreamedCall,
} from '@palimpsest/provider-utils'
import type { Answer } from './answer.ts'
import { callOpenAi } from './call-openai.ts'
import { isCutOff, toFinishReason, unusableAnswer } from './finish.ts'
import type { OpenAiOptions } from './options.ts'
import { withOpenAiData } from './provider-data.ts'
import { resolveOptions } from './resolve-options.ts'

/**
 * A model that continues a conversation and may call tools, on any server with OpenAI's Chat Completions. A truncated
 * answer is returned with the finish reason `length` or `content-filter`, without incomplete calls; it rejects only if
 * nothing arrived. Throws `InvalidOptionError` for an invalid option and `MODEL_AUTH` without a key for OpenAI itself.
 */
export function createOpenAiChat(options: OpenAiOptions): ChatModel {
  const settings = resolveOptions(options)
  const { model, contextLength } = settings
  return {
    name: `openai:${model}`,
    ...(contextLength === undefined ? {} : { contextLength }),
    async chat({ messages, tools, maxOutputTokens, signal, onText }) {
      const request = { messages, tools, maxOutputTokens }
      const answer = withoutCutCalls(await callOpenAi(settings, { request, signal, onText }))
      const problem = unusableAnswer(answer, model)
      if (problem !== undefined) throw problem
      return {
        message: toAssistantMessage(answer, messages),
        finishReason: toFinishReason(answer),
        ...(answer.usage === undefined ? {} : { usage: answer.usage }),
      }
    },
  }
}

/** An incomplete call must not run. */
function withoutCutCalls(answer: Answer): Answer {
  if (!isCutOff(answer)) return answer
  const isWhole = ({ name, input }: CallFields) => name !== '' && isJson(input)
  return { ...answer, calls: answer.calls.filter(({ call }) => isWhole(callFields(call))) }
}

/** Reasoning goes to `providerData.openai.reasoning`, not into the text. */
function toAssistantMessage(answer: Answer, messages: readonly Message[]): AssistantMessage {
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
