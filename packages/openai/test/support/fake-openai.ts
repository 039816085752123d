import {
  type Reply as AnyReply,
  fakeServer,
  json,
  type StreamOptions,
  streamText,
} from '../../../provider-utils/test/support/fake-server.ts'

/** One request as it left the SDK. */
export interface RecordedRequest {
  readonly url: string
  readonly headers: Headers
  readonly body: {
    model: string
    messages: Record<string, unknown>[]
    tools?: unknown[]
    max_tokens?: number
    max_completion_tokens?: number
    stream?: boolean
    stream_options?: unknown
  }
}

export type Reply = AnyReply<RecordedRequest>

/** A server behind a `fetch`. Replies are used one after the other, the last one again and again. */
export function fakeOpenAi(...replies: Reply[]): { fetch: typeof fetch; requests: RecordedRequest[] } {
  return fakeServer(replies, (url, init) => {
    const body = JSON.parse(String(init?.body)) as RecordedRequest['body']
    return { url, headers: new Headers(init?.headers), body }
  })
}

/** Replies with one whole answer. */
export function answer(message: Record<string, unknown>, finishReason = 'stop', more: object = {}): Reply {
  return json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finishReason },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    ...more,
  })
}

/** Replies with an error as OpenAI words it. */
export function failure(status: number, message: string, more: object = {}, headers = {}): Reply {
  return json({ error: { message, type: null, param: null, code: null, ...more } }, status, headers)
}

/** Replies with a web page. */
export function page(status: number, title: string): Reply {
  const html = `<!DOCTYPE html><html><head><title>${title}</title></head><body>${'x'.repeat(5_000)}</body></html>`
  return () => new Response(html, { status, headers: { 'content-type': 'text/html' } })
}

/** A chunk of a streamed answer. */
export function chunk(delta: unknown, finishReason: string | null = null): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  }
}

/** The chunk with the token counts that comes last, without a choice. */
export const counts = {
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

/** The end of an answer as most servers send it. */
export const stopped = [chunk({}, 'stop'), counts]

/** Server-sent events as servers write them. */
export function sseText(chunks: readonly unknown[]): string {
  return chunks.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

/** Replies with a stream of events. It ends with `[DONE]` unless `atEnd` says what happens instead. */
export function stream(chunks: readonly unknown[], options: StreamOptions = {}): Reply {
  return streamText(sseText(chunks) + (options.atEnd === undefined ? 'data: [DONE]\n\n' : ''), options)
}
