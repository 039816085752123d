import { type CompletionModel, type Message, ModelError } from '@palimpsest/core'
import { callOpenAi } from './call-openai.ts'
import { compactOpenAi } from './compact-openai.ts'
import { cutOffAnswer, toFinishReason, unusableAnswer } from './finish.ts'
import type { OpenAiOptions } from './options.ts'
import { resolveOptions } from './resolve-options.ts'

/**
 * A model that answers one prompt with one text, for summaries and extraction, on any server with OpenAI's Chat
 * Completions. A truncated answer is never returned: it rejects with `MODEL_TRUNCATED` at the output limit, and with
 * `MODEL_BLOCKED` if a filter stopped it or the model refused. Throws `InvalidOptionError` for an invalid option and
 * `MODEL_AUTH` without a key for OpenAI itself.
 */
export function createOpenAiCompletion(options: OpenAiOptions): CompletionModel {
  const settings = resolveOptions(options)
  const { model, contextLength } = settings
  return {
    name: `openai:${model}`,
    ...(contextLength === undefined ? {} : { contextLength }),
    compact: (call) => compactOpenAi(settings, call),
    async complete({ system, prompt, maxOutputTokens, signal }) {
      const messages: Message[] = [
        ...(system ? [{ role: 'system' as const, content: system }] : []),
        { role: 'user', content: prompt },
      ]
      const answer = await callOpenAi(settings, { request: { messages, maxOutputTokens }, signal })
      const problem = unusableAnswer(answer, model) ?? cutOffAnswer(answer, model)
      if (problem !== undefined) throw problem
      const { content: text, refusal, usage } = answer
      if (refusal !== '')
        throw new ModelError('blocked', `${model} refused: ${refusal.slice(0, 300)}; change what is sent`)
      if (text.trim() === '') throw new ModelError('empty', `${model} answered without any text; try again`)
      return { text, finishReason: toFinishReason(answer), ...(usage === undefined ? {} : { usage }) }
    },
  }
}
