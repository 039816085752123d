import type { Part } from '@google/genai'
import {
  type AssistantMessage,
  type AssistantPart,
  type ChatModel,
  type FunctionToolCall,
  isObject,
  type Message,
} from '@palimpsest/core'
import { createCallIds } from '@palimpsest/provider-utils'
import { type Answer, toFinishReason, unusableAnswer } from './answer.ts'
import { callGemini } from './call-gemini.ts'
import type { GeminiOptions } from './options.ts'
import { type GeminiData, signatureOf, type Thought, withGeminiData } from './provider-data.ts'
import { resolveOptions } from './settings.ts'
import { callIdPrefix, toContents } from './to-contents.ts'

/**
 * A model that continues a conversation and may call tools. Thought signatures, which Gemini 3 requires back, are kept
 * in the `providerData` of parts and calls. A truncated answer is returned with the finish reason `length` or
 * `content-filter`; it rejects only if nothing arrived. Throws `InvalidOptionError` for an invalid option and
 * `MODEL_AUTH` without a key.
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

/** Thought signatures stay on their text or call; thoughts go to `providerData.gemini.reasoning`, not into the text. */
function toAssistantMessage(answer: Answer, messages: readonly Message[]): AssistantMessage {
  const createId = createCallIds({ prefix: callIdPrefix, responseId: answer.responseId, messages })
  const thoughts: Thought[] = []
  const content: AssistantPart[] = []
  const calls: { readonly part: Part; readonly contentBefore: number }[] = []
  for (const part of answer.parts) {
    if (part.thought === true) thoughts.push({ text: part.text ?? '', ...signatureOf(part) })
    else if (part.functionCall) calls.push({ part, contentBefore: content.length })
    else if (part.text !== '' || part.thoughtSignature) content.push(toContentPart(part))
  }
  const toolCalls = calls.map(({ part, contentBefore }): FunctionToolCall => {
    const call = part.functionCall ?? {}
    const id = createId(call)
    const data: GeminiData = {
      ...signatureOf(part),
      ...(contentBefore < content.length ? { contentBefore } : {}),
      ...(call.id && call.id !== id ? { id: call.id } : {}),
    }
    const args = JSON.stringify(call.args ?? {})
    return {
      id,
      type: 'function',
      function: { name: call.name ?? '', arguments: args },
      ...withGeminiData(data),
    }
  })
  return {
    role: 'assistant',
    content: simplest(content),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...(thoughts.length > 0 && withGeminiData({ reasoning: thoughts })),
  }
}

function toContentPart(part: Part): AssistantPart {
  const { text, inlineData } = part
  if (typeof text === 'string') return { type: 'text', text, ...withGeminiData(signatureOf(part)) }
  const kept = inlineData?.mimeType?.startsWith('image/')
    ? {
        type: 'image_url',
        image_url: { url: `data:${inlineData.mimeType};base64,${inlineData.data ?? ''}` },
        ...withGeminiData(signatureOf(part)),
      }
    : { type: 'gemini', ...withGeminiData({ part }) }
  // Transcripts allow other kinds of parts, but have no type for them.
  return kept as unknown as AssistantPart
}

function simplest(content: AssistantPart[]): string | AssistantPart[] | null {
  const [first] = content
  if (first === undefined) return null
  return content.length === 1 && first.type === 'text' && !isObject(first.providerData) ? first.text : content
}
