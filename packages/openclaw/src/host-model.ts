import { type CompletionModel, type FinishReason, ModelError, normalizeUsage } from '@palimpsest/core'
import { connectionFailure, kindOfStatus, providerError } from '@palimpsest/provider-utils'
import type { Llm } from './host-types.ts'

/**
 * OpenClaw's own model, asked with its credentials, as the model that writes summaries.
 *
 * @param llm Returns whom to ask now: during a call of the host's, the model that belongs to the conversation.
 * @param model A model such as `google/gemini-3-flash`. Undefined: the agent's own.
 */
export function hostModel(llm: () => Llm, model: string | undefined): CompletionModel {
  return {
    name: `openclaw/${model ?? 'agent'}`,
    async complete({ system, prompt, maxOutputTokens, signal }) {
      const call = {
        messages: [{ role: 'user' as const, content: prompt }],
        ...(system !== undefined && { systemPrompt: system }),
        ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
        ...(model !== undefined && { model }),
        ...(signal !== undefined && { signal }),
        purpose: 'palimpsest.summary',
      }
      const answer = await llm()
        .complete(call)
        .catch((error: unknown) => {
          signal?.throwIfAborted()
          throw failure(error)
        })
      signal?.throwIfAborted()
      if (answer.stopReason === 'length')
        throw new ModelError(
          'truncated',
          'the model reached the output limit before the summary was complete',
        )
      if (answer.text.trim() === '')
        throw new ModelError('empty', `the model answered without any text (${answer.stopReason}); try again`)
      const { inputTokens = 0, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = answer.usage
      const usage = normalizeUsage({
        promptTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
        completionTokens: outputTokens,
        ...{ cacheReadTokens, cacheWriteTokens },
      })
      return { text: answer.text, finishReason: 'stop' satisfies FinishReason, usage }
    },
  }
}

function failure(error: unknown): ModelError {
  const { status } = (error ?? {}) as { readonly status?: unknown }
  const kind =
    typeof status === 'number' ? kindOfStatus(status) : (connectionFailure(error)?.kind ?? 'unknown')
  const said = error instanceof Error ? error.message : String(error)
  return providerError({ kind, advice: 'OpenClaw’s model wrote no summary', said, cause: error })
}
