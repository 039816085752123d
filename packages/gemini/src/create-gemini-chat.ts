import type { ChatModel } from '@palimpsest/core'
import { callGemini } from './call-gemini.ts'
import { toFinishReason, unusableAnswer } from './finish.ts'
import type { GeminiOptions } from './options.ts'
import { resolveOptions } from './resolve-options.ts'
import { toAssistantMessage } from './to-assistant-message.ts'
import { toContents } from './to-contents.ts'

/**
 * A model that continues a conversation and may call tools. Thought signatures, which Gemini 3 demands back, are
 * kept in the `providerData` of the parts and calls of its messages. An answer that was cut off is returned with
 * `length` or `content-filter` as its finish reason; it rejects only when nothing came. Throws `InvalidOptionError`
 * for a wrong option and `MODEL_AUTH` without a key.
 */
export function createGeminiChat(options: GeminiOptions): ChatModel {
  const settings = resolveOptions(options)
  const { model, contextLength } = settings
  return {
    name: `gemini:${model}`,
    ...(contextLength === undefined ? {} : { contextLength }),
    async chat({ messages, tools, maxOutputTokens, signal, onText }) {
      const request = () => ({ ...toContents(messages, model), tools, maxOutputTokens })
      const answer = await callGemini(settings, { request, signal, onText })
      const problem = unusableAnswer(answer)
      if (problem !== undefined) throw problem
      return {
        message: toAssistantMessage(answer, messages),
        finishReason: toFinishReason(answer),
        ...(answer.usage === undefined ? {} : { usage: answer.usage }),
      }
    },
  }
}
