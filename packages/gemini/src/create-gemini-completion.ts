import { type CompletionModel, ModelError } from '@palimpsest/core'
import { cutOffAnswer, toFinishReason, unusableAnswer } from './answer.ts'
import { callGemini } from './call-gemini.ts'
import type { GeminiOptions } from './options.ts'
import { resolveOptions } from './settings.ts'

/**
 * A model that answers one prompt with one text, for summaries and extraction. A truncated answer is never returned: it
 * rejects with `MODEL_TRUNCATED` at the output limit and `MODEL_BLOCKED` if a filter stopped it. Throws
 * `InvalidOptionError` for an invalid option and `MODEL_AUTH` without a key.
 */
export function createGeminiCompletion(options: GeminiOptions): CompletionModel {
  const settings = resolveOptions(options)
  const { model, contextLength } = settings
  return {
    name: `gemini:${model}`,
    ...(contextLength === undefined ? {} : { contextLength }),
    async complete({ system, prompt, maxOutputTokens, signal }) {
      const request = () => ({
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
        ...(system ? { systemInstruction: { parts: [{ text: system }] } } : {}),
        maxOutputTokens,
      })
      const answer = await callGemini(settings, { request, signal })
      const problem = unusableAnswer(answer) ?? cutOffAnswer(answer)
      if (problem !== undefined) throw problem
      const text = answer.parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('')
      if (text.trim() === '') throw new ModelError('empty', 'Gemini answered without any text; try again')
      const finishReason = toFinishReason(answer)
      return { text, finishReason, ...(answer.usage === undefined ? {} : { usage: answer.usage }) }
    },
  }
}
