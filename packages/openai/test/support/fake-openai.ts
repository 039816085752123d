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

/** What answers a request. The signal is the one that the SDK passes to `fetch`. */
export type Reply = (
  request: RecordedRequest,
  signal: AbortSignal | undefined,
) => Response | Promise<Response>

/** A server behind a `fetch`. Replies are used one after the other, the last one again and again. */
export function fakeOpenAi(...replies: Reply[]): { fetch: typeof fetch; requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = []
  return {
    requests,
    fetch: async (input, init) => {
      const body = JSON.parse(String(init?.body)) as RecordedRequest['body']
      const request = { url: String(input), headers: new Headers(init?.headers), body }
      requests.push(request)
      const reply = replies[Math.min(requests.length, replies.length) - 1]
      if (reply === undefined) throw new Error('the fake has no reply')
      return reply(request, init?.signal ?? undefined)
    },
  }
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

/** Replies with this body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return () => Response.json(body, { status, headers })
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

export interface StreamOptions {
  /** How many bytes each piece has. Default: all at once. */
  readonly pieceBytes?: number
  /** What happens after the last event. Default: `[DONE]`, and the stream ends. */
  readonly atEnd?: 'close' | 'stall' | 'stall-deaf' | 'break'
}

/** Replies with a stream of events, cut into pieces anywhere. */
export function stream(chunks: readonly unknown[], { pieceBytes, atEnd }: StreamOptions = {}): Reply {
  return (_request, signal) => {
    const bytes = new TextEncoder().encode(sseText(chunks) + (atEnd === undefined ? 'data: [DONE]\n\n' : ''))
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (atEnd !== 'stall-deaf')
          signal?.addEventListener('abort', () => controller.error(abortError()), { once: true })
      },
      pull(controller) {
        if (at < bytes.length) {
          const end = at + (pieceBytes ?? bytes.length)
          controller.enqueue(bytes.slice(at, end))
          at = end
        } else if (atEnd === 'break') controller.error(new TypeError('terminated'))
        else if (atEnd === undefined || atEnd === 'close') controller.close()
        else return new Promise(() => {})
        return undefined
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** Never answers. Rejects on abort as `fetch` does, unless it is deaf. */
export function hang(deaf = false): Reply {
  return (_request, signal) =>
    new Promise((_resolve, reject) => {
      if (!deaf) signal?.addEventListener('abort', () => reject(abortError()), { once: true })
    })
}

function abortError(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError')
}
