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
  readonly onText?: ((text: string) => void) | undefined
}

/**
 * Sends one request and returns the whole answer. Rejects with `signal.reason` on an abort, else with a `ModelError`;
 * errors of `onText` pass through.
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
    // The last chunk has a finish reason, unless the connection was closed before.
    if (onText !== undefined && answer.finishReason === undefined)
      throw new ModelError('network', `the connection to ${server} ended before the answer did; try again`)
    return answer
  })
}

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
 * Retries a request that the server refused because of its wording in another wording, which is then kept. No text has
 * arrived by then.
 */
async function openAnswer(
  { client: source, model, server, timeoutMs, wording }: OpenAiSettings,
  { request, onText }: OpenAiCall,
  signal: AbortSignal,
): Promise<Pieces> {
  const client = await source.get()
  signal.throwIfAborted()
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

interface OpenAiRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[] | undefined
  readonly maxOutputTokens?: number | undefined
}

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

type Pieces = AsyncIterable<Loose> | readonly Loose[]

interface Sending {
  readonly client: OpenAI
  readonly body: ChatCompletionCreateParamsNonStreaming
  readonly server: string
  readonly options: { readonly signal: AbortSignal; readonly timeout: number }
}

async function openWhole({ client, body, server, options }: Sending): Promise<Pieces> {
  return [readBody(await client.chat.completions.create(body, options), server)]
}

/**
 * Streams the answer, with token counts if the server supports them. A server that does not stream answers in one
 * piece.
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

async function* looseChunks(chunks: AsyncIterable<unknown>): AsyncGenerator<Loose> {
  for await (const chunk of chunks) if (isObject(chunk)) yield chunk
}

/** The SDK passes on any body with a success status: a proxy's page, or nothing. */
function readBody(body: unknown, server: string): Loose {
  if (isObject(body)) return body
  const page = typeof body === 'string' ? webPage(body) : undefined
  throw new ModelError(
    'invalid-request',
    `${server} is not a Chat Completions API; check baseUrl, which ends with the version, usually /v1: ${page ?? 'no JSON object came'}`,
  )
}
