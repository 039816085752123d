import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import {
  type CompletionModel,
  contextOverflow,
  looseOf,
  ModelError,
  type ModelErrorKind,
} from '@palimpsest/core'
import {
  checkLimits,
  connectionFailure,
  kindOfStatus,
  providerError,
  retryAfterMs,
  withDeadline,
} from '@palimpsest/provider-utils'
import { langChainOverflow } from '../errors/langchain-overflow.ts'
import { LANGCHAIN_DEFAULTS } from '../langchain-defaults.ts'
import { toUsage } from '../messages/to-usage.ts'

/** Keeps a summary out of the stream of the agent that waits for it. */
const TAGS = ['nostream']

const CUT = /^(?:length|model_length|max_tokens|max_output_tokens)$/i
const BLOCKED = /filter|safety|refus|blocklist|prohibited|recitation|spii/i

/**
 * Adapts a LangChain chat model to answer one prompt with one text, for summaries and extraction. Its window is its
 * profile's. LangChain has no common option for the length of an answer: set it on the model. A truncated answer is
 * never returned: it rejects with `MODEL_TRUNCATED` at the output limit and `MODEL_BLOCKED` if a filter stopped it.
 * Throws `InvalidOptionError`.
 */
export function createLangChainCompletion(
  model: BaseChatModel,
  { timeoutMs = LANGCHAIN_DEFAULTS.timeoutMs }: LangChainCompletionOptions = {},
): CompletionModel {
  checkLimits({ timeoutMs })
  const { maxInputTokens } = model.profile
  return {
    name: [model.getName(), looseOf(model).model].filter(Boolean).join(':'),
    ...(maxInputTokens !== undefined && { contextLength: maxInputTokens }),
    async complete({ system = '', prompt, signal }) {
      const messages = [...(system === '' ? [] : [new SystemMessage(system)]), new HumanMessage(prompt)]
      const answer = await withDeadline({ signal, timeoutMs }, (aborted) =>
        model.invoke(messages, { signal: aborted, tags: TAGS }).catch((error: unknown) => {
          throw toModelError(error)
        }),
      )
      assertWhole(answer)
      const usage = toUsage(answer)
      return { text: answer.text, finishReason: 'stop', ...(usage && { usage }) }
    },
  }
}

/** Options of `createLangChainCompletion`. */
export interface LangChainCompletionOptions {
  /**
   * Time limit of a call in milliseconds, including retries, after which it rejects with `MODEL_TIMEOUT`. Default:
   * `LANGCHAIN_DEFAULTS.timeoutMs`.
   */
  readonly timeoutMs?: number
}

function assertWhole({ text, response_metadata }: AIMessage): void {
  const { finish_reason, finishReason, stop_reason, done_reason, incomplete_details } =
    looseOf(response_metadata)
  const said = [finish_reason, finishReason, stop_reason, done_reason, looseOf(incomplete_details).reason]
  const reason = said.find((value) => typeof value === 'string') ?? 'no reason given'
  if (CUT.test(reason))
    throw new ModelError(
      'truncated',
      'the model reached the output limit before the answer was complete; let it write more or think less',
    )
  if (BLOCKED.test(reason))
    throw new ModelError(
      'blocked',
      `the model stopped for reasons of content (${reason}); change what is sent`,
    )
  if (text.trim() === '')
    throw new ModelError('empty', `the model answered without any text (${reason}); try again`)
}

function toModelError(error: unknown): ModelError {
  if (ModelError.isInstance(error)) return error
  const { status, headers, message } = looseOf(error)
  const overflow = langChainOverflow(error)
  const said = error instanceof Error ? error.message : String(error)
  return providerError({
    kind: overflow === undefined ? kindOf(error, status) : 'context-overflow',
    advice: 'the model that writes summaries failed; check it and try again',
    said,
    cause: error,
    retryAfterMs: retryAfterMs({
      message: typeof message === 'string' ? message : '',
      ...(headers instanceof Headers && { headers }),
    }),
    contextLength: overflow && contextOverflow(overflow)?.limit,
  })
}

function kindOf(error: unknown, status: unknown): ModelErrorKind {
  return typeof status === 'number' ? kindOfStatus(status) : (connectionFailure(error)?.kind ?? 'unknown')
}
