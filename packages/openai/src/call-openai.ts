import { isDeepStrictEqual } from 'node:util'
import { type Loose, type Message, ModelError, type ToolSchema } from '@palimpsest/core'
import { wellFormed, withDeadline } from '@palimpsest/provider-utils'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources'
import { type Answer, addToAnswer, emptyAnswer, failureIn } from './answer.ts'
import { readApiFailure } from './api-failure.ts'
import { type Dialect, dialectAfter } from './dialect.ts'
import { openStream, openWhole, type Pieces } from './open-answer.ts'
import type { OpenAiSettings } from './resolve-options.ts'
import { failureError, toModelError } from './to-model-error.ts'
import { toWireMessages } from './to-wire-messages.ts'

export interface OpenAiCall {
  readonly request: OpenAiRequest
  readonly signal?: AbortSignal | undefined
  /** Gets the text piece by piece; with it, the answer is streamed. */
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Sends one request and returns the whole answer. Rejects with `signal.reason` when aborted, else with a
 * `ModelError`; what `onText` throws comes through as it is.
 */
export function callOpenAi(settings: OpenAiSettings, call: OpenAiCall): Promise<Answer> {
  const { signal, onText } = call
  const { server, timeoutMs } = settings
  return withDeadline({ signal, timeoutMs }, async (ended) => {
    const answer = emptyAnswer()
    for await (const piece of piecesOf(settings, call, ended)) {
      const failure = failureIn(piece)
      if (failure !== undefined) throw failureError(failure, settings)
      const text = addToAnswer(answer, piece)
      ended.throwIfAborted()
      if (text !== '') onText?.(text)
    }
    // The last chunk says why it is the last, unless the connection was closed before it.
    if (onText !== undefined && answer.finishReason === undefined)
      throw new ModelError('network', `the connection to ${server} ended before the answer did; try again`)
    return answer
  })
}

/** The pieces of an answer, with their errors mapped, but not those of whoever reads them. */
async function* piecesOf(
  settings: OpenAiSettings,
  call: OpenAiCall,
  signal: AbortSignal,
): AsyncGenerator<Loose> {
  try {
    yield* await openAnswer(settings, call, signal)
  } catch (error) {
    throw toModelError(error, settings)
  }
}

/**
 * Sends the request. A server that refuses how it was worded is asked in another way, and from then on always. No
 * text has come by then: a refusal is the whole response.
 */
async function openAnswer(
  { client: source, model, server, timeoutMs, wording }: OpenAiSettings,
  { request, onText }: OpenAiCall,
  signal: AbortSignal,
): Promise<Pieces> {
  const client = await source.get()
  signal.throwIfAborted()
  // A server that refuses both names of a parameter is not asked with the first again.
  const refused: Dialect[] = []
  const open = async (dialect: Dialect): Promise<Pieces> => {
    const body = requestBody(model, request, dialect)
    const sending = { client, body, server, options: { signal, timeout: timeoutMs } }
    try {
      const pieces = await (onText === undefined ? openWhole(sending) : openStream(sending, dialect))
      wording.dialect = dialect
      return pieces
    } catch (error) {
      refused.push(dialect)
      const other = dialectAfter(dialect, readApiFailure(error))
      if (other === undefined || refused.some((one) => isDeepStrictEqual(one, other))) throw error
      return open(other)
    }
  }
  return open(wording.dialect)
}

/** The request of one call, without the model's options. */
interface OpenAiRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[] | undefined
  /** Upper bound for the answer, in tokens. */
  readonly maxOutputTokens?: number | undefined
}

/** A request as the server takes it, but for what makes it a stream. */
function requestBody(
  model: string,
  { messages, tools = [], maxOutputTokens }: OpenAiRequest,
  dialect: Dialect,
): ChatCompletionCreateParamsNonStreaming {
  return wellFormed({
    model,
    messages: toWireMessages(messages, dialect),
    // An empty list is refused.
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(maxOutputTokens === undefined ? {} : { [dialect.outputLimit]: maxOutputTokens }),
  })
}
