import { isDeepStrictEqual } from 'node:util'
import { isObject, type Loose, type Message, ModelError, type ToolSchema } from '@palimpsest/core'
import { wellFormed, withDeadline } from '@palimpsest/provider-utils'
import type { OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources'
import { type Answer, addToAnswer, emptyAnswer, failureIn } from './answer.ts'
import { readApiFailure, webPage } from './api-failure.ts'
import { type Dialect, dialectAfter } from './dialect.ts'
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

/** The pieces of an answer: the chunks of a stream, or one response. */
type Pieces = AsyncIterable<Loose> | readonly Loose[]

/** A request and its destination. */
interface Sending {
  readonly client: OpenAI
  readonly body: ChatCompletionCreateParamsNonStreaming
  /** For people, in errors. */
  readonly server: string
  readonly options: { readonly signal: AbortSignal; readonly timeout: number }
}

/** Asks for the answer in one piece. */
async function openWhole({ client, body, server, options }: Sending): Promise<Pieces> {
  return [readBody(await client.chat.completions.create(body, options), server)]
}

/**
 * Asks for the answer as a stream, with its token counts where the server has a word for that. A server that does
 * not stream answers in one piece all the same.
 */
async function openStream(
  { client, body, server, options }: Sending,
  { streamUsage }: Dialect,
): Promise<Pieces> {
  const counts = streamUsage ? { stream_options: { include_usage: true } } : {}
  const { data, response } = await client.chat.completions
    .create({ ...body, stream: true, ...counts }, options)
    .withResponse()
  const type = response.headers.get('content-type') ?? ''
  if (/\bjson\b/i.test(type)) return [readBody(await response.json(), server)]
  if (/\bhtml\b/i.test(type)) return [readBody(await response.text(), server)]
  return looseChunks(data)
}

/** The SDK's types are those of OpenAI's chunks; other servers are not so exact. */
async function* looseChunks(chunks: AsyncIterable<unknown>): AsyncGenerator<Loose> {
  for await (const chunk of chunks) if (isObject(chunk)) yield chunk
}

/** The SDK hands on whatever came with a good status: a page of a proxy, or nothing. */
function readBody(body: unknown, server: string): Loose {
  if (isObject(body)) return body
  const page = typeof body === 'string' ? webPage(body) : undefined
  throw new ModelError(
    'invalid-request',
    `${server} is no Chat Completions API; check baseUrl, which ends with the version, mostly /v1: ${page ?? 'no JSON object came'}`,
  )
}
