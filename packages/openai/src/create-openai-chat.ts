import type { ChatModel } from '@palimpsest/core'
import { type CallFields, callFields, isJson } from '@palimpsest/provider-utils'
import type { Answer } from './answer.ts'
import { callOpenAi } from './call-openai.ts'
import { isCutOff, toFinishReason, unusableAnswer } from './finish.ts'
import type { OpenAiOptions } from './options.ts'
import { resolveOptions } from './resolve-options.ts'
import { toAssistantMessage } from './to-assistant-message.ts'

/**
 * A model that continues a conversation and may call tools, on any server with OpenAI's Chat Completions. An answer
 * that was cut off is returned with `length` or `content-filter` as its finish reason, without a call of which only
 * a part came; it rejects only when nothing came. Throws `InvalidOptionError` for a wrong option and `MODEL_AUTH`
 * without a key for OpenAI itself.
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

/** Half a call must not be run. A whole one stays. */
function withoutCutCalls(answer: Answer): Answer {
  if (!isCutOff(answer)) return answer
  const isWhole = ({ name, input }: CallFields) => name !== '' && isJson(input)
  return { ...answer, calls: answer.calls.filter(({ call }) => isWhole(callFields(call))) }
}
