import { AsyncLocalStorage } from 'node:async_hooks'
import { type CompletionModel, type FinishReason, ModelError, normalizeUsage } from '@palimpsest/core'
import { connectionFailure, kindOfStatus, providerError } from '@palimpsest/provider-utils'
import type { Llm } from './host-types.ts'

/**
 * Runs a task outside of the current call's asynchronous context: OpenClaw refuses work in it once the call is over,
 * and summaries are written between calls.
 */
const outside = AsyncLocalStorage.snapshot()

export function hostModel(
  llm: () => Llm,
  model: string | undefined,
  warn: (text: string) => void,
): CompletionModel {
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
      const answer = await outside(() => llm().complete(call)).catch((error: unknown) => {
        signal?.throwIfAborted()
        const failed = failure(error)
        warn(failed.message)
        throw failed
      })
      signal?.throwIfAborted()
      if (answer.stopReason === 'length')
        throw new ModelError(
          'truncated',
          'the model reached the output limit before the summary was complete; raise its limit',
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
