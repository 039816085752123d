import type { Message as AnthropicAnswer } from '@anthropic-ai/sdk/resources/messages'
import {
  type AssistantMessage,
  type ChatCall,
  type ChatModel,
  type CompletionModel,
  contextOverflow,
  errorText,
  type FinishReason,
  isInstruction,
  isObject,
  looseOf,
  ModelError,
  type ModelErrorKind,
  messageText,
  normalizeUsage,
  toolCallsOf,
} from '@palimpsest/core'
import { fromAnthropicResponse, toAnthropicRequest } from '@palimpsest/prompt-caching'
import {
  connectionFailure,
  kindOfStatus,
  patientFetch,
  providerError,
  retryAfterMs,
  textOf,
  withDeadline,
} from '@palimpsest/provider-utils'
import { UsageError } from '../usage-error.ts'
import { answerTokens } from './answer-tokens.ts'
import type { ModelAccess } from './model-access.ts'

const TIMEOUT = 600_000

const WINDOW = 200_000

export async function createAnthropicModels(
  access: Omit<ModelAccess, 'provider'>,
): Promise<{ readonly chat: ChatModel; readonly completion: CompletionModel }> {
  const { model, apiKey = 'no-key', baseUrl = '', contextLength, timeoutMs = TIMEOUT } = access
  const { default: Anthropic } = await import('@anthropic-ai/sdk').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new UsageError('a model of Anthropic needs one more package: npm install @anthropic-ai/sdk', {
      cause,
    })
  })
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl.replace(/\/v1\/?$/, ''),
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: patientFetch,
    logLevel: 'off',
  })

  const ask = ({
    signal: given,
    onText,
    maxOutputTokens,
    compaction,
    ...prompt
  }: AskCall): Promise<AnthropicAnswer> =>
    withDeadline({ signal: given, timeoutMs }, async (signal) => {
      const limit = maxOutputTokens ?? answerTokens(contextLength ?? WINDOW)
      const body = {
        model,
        max_tokens: limit,
        ...toAnthropicRequest(prompt),
        ...(compaction && { compaction }),
      }
      const isNative = compaction !== undefined || hasNative(prompt)
      try {
        const stream = client.messages.stream(body, {
          signal,
          ...(isNative && { headers: { 'anthropic-beta': COMPACTION_BETA } }),
        })
        for await (const event of stream)
          if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
            onText?.(event.delta.text)
        return await stream.finalMessage()
      } catch (error) {
        signal.throwIfAborted()
        throw toModelError(error, apiKey)
      }
    })

  const about = { name: `anthropic:${model}`, ...(contextLength !== undefined && { contextLength }) }
  return {
    chat: {
      ...about,
      async chat(call) {
        const answer = await ask(call)
        const finishReason = finishOf(answer)
        const message = toMessage(answer, finishReason)
        if (messageText(message).trim() === '' && toolCallsOf(message).length === 0)
          throw unusable(finishReason, model)
        return { message, finishReason, usage: normalizeUsage(answer.usage) }
      },
    },
    completion: {
      ...about,
      async complete({ system, prompt, ...rest }) {
        const first = system ? [{ role: 'system' as const, content: system }] : []
        const answer = await ask({ messages: [...first, { role: 'user', content: prompt }], ...rest })
        const finishReason = finishOf(answer)
        const text = messageText(fromAnthropicResponse(answer))
        if (finishReason !== 'stop' || text.trim() === '') throw unusable(finishReason, model)
        return { text, finishReason, usage: normalizeUsage(answer.usage) }
      },
      async compact(call) {
        const answer = await ask({ ...call, compaction: { type: 'summarize' } })
        const [block] = answer.content as readonly object[]
        const { type, content: text } = looseOf(block)
        if (type !== 'compaction' || typeof text !== 'string' || text === '')
          throw unusable(finishOf(answer), model)
        return {
          text,
          providerData: { anthropic: { compaction: block } },
          usage: normalizeUsage(answer.usage),
        }
      },
    },
  }
}

/** The flag for Anthropic's compaction, required for it and for requests with its result. */
const COMPACTION_BETA = 'compact-2026-09-04'
interface AskCall extends ChatCall {
  readonly compaction?: { readonly type: 'summarize' }
}

function hasNative({ messages }: Pick<ChatCall, 'messages'>): boolean {
  const first = messages.find((message) => !isInstruction(message))
  return isObject(looseOf(looseOf(first?.providerData).anthropic).compaction)
}

const FINISHES: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
}

function finishOf({ stop_reason: reason }: AnthropicAnswer): FinishReason {
  return FINISHES[reason ?? ''] ?? 'other'
}

function toMessage({ content }: AnthropicAnswer, finish: FinishReason): AssistantMessage {
  const isCut = finish === 'length' && content.at(-1)?.type === 'tool_use'
  return fromAnthropicResponse({ content: isCut ? content.slice(0, -1) : content })
}

function unusable(finish: FinishReason, model: string): ModelError {
  if (finish === 'length')
    return new ModelError(
      'truncated',
      `${model} reached the output limit before the answer was complete; ask for a shorter one`,
    )
  if (finish === 'content-filter')
    return new ModelError('blocked', `${model} refused for reasons of content; change what is sent`)
  return new ModelError('empty', `${model} answered without any text; try again`)
}

const KINDS: Readonly<Record<string, ModelErrorKind>> = {
  authentication_error: 'auth',
  permission_error: 'auth',
  rate_limit_error: 'quota',
  invalid_request_error: 'invalid-request',
  api_error: 'overloaded',
  overloaded_error: 'overloaded',
}

const ADVICE: Readonly<Partial<Record<ModelErrorKind, string>>> = {
  auth: 'Anthropic refused the key or the account',
  quota: 'a rate or spending limit of Anthropic is reached; wait or raise the limit',
  overloaded: 'Anthropic is overloaded or failed; try again later',
  network: 'the connection to Anthropic failed or broke; try again',
  timeout: 'Anthropic did not answer in time; try again or send less',
  'context-overflow': "the prompt does not fit into the model's window; send less",
}

function toModelError(cause: unknown, apiKey: string): ModelError {
  if (ModelError.isInstance(cause)) return cause
  const { status, error: body, headers } = looseOf(cause)
  const { type, message } = looseOf(looseOf(body).error)
  const said = textOf(message) || errorText(cause)
  const overflow = contextOverflow({ message: said, status })
  const known = typeof status === 'number' ? kindOfStatus(status) : KINDS[textOf(type)]
  const kind =
    overflow === undefined ? (known ?? connectionFailure(cause)?.kind ?? 'unknown') : 'context-overflow'
  const advice = ADVICE[kind] ?? 'Anthropic did not accept the request; check the model name and what is sent'
  const wait = retryAfterMs({ ...(headers instanceof Headers && { headers }), message: said })
  return providerError({ kind, advice, said, cause, retryAfterMs: wait, contextLength: overflow?.limit }, [
    apiKey,
  ])
}
