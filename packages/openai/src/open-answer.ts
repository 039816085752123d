import { isObject, type Loose, ModelError } from '@palimpsest/core'
import type { OpenAI } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources'
import type { Dialect } from './dialect.ts'
import { webPage } from './web-page.ts'

/** The pieces of an answer: the chunks of a stream, or one response. */
export type Pieces = AsyncIterable<Loose> | readonly Loose[]

/** A request and its destination. */
export interface Sending {
  readonly client: OpenAI
  readonly body: ChatCompletionCreateParamsNonStreaming
  /** For people, in errors. */
  readonly server: string
  readonly options: { readonly signal: AbortSignal; readonly timeout: number }
}

/** Asks for the answer in one piece. */
export async function openWhole({ client, body, server, options }: Sending): Promise<Pieces> {
  return [readBody(await client.chat.completions.create(body, options), server)]
}

/**
 * Asks for the answer as a stream, with its token counts where the server has a word for that. A server that does
 * not stream answers in one piece all the same.
 */
export async function openStream(
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
