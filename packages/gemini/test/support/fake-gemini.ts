import { brokenRule, type WireContent } from './request-rules.ts'

/** One request as it left the SDK. */
export interface RecordedRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  /** The exact bytes of the body, as text. */
  readonly text: string
  readonly body: {
    contents: WireContent[]
    systemInstruction?: WireContent
    tools?: { functionDeclarations: Record<string, unknown>[] }[]
    generationConfig?: Record<string, unknown>
  }
}

/** What answers a request. The signal is the one that the SDK passes to `fetch`. */
export type Reply = (
  request: RecordedRequest,
  signal: AbortSignal | undefined,
) => Response | Promise<Response>

/**
 * The Gemini API behind a `fetch`. Replies are used one after the other, the last one again and again. A request
 * that breaks a rule of the API gets its 400 instead.
 */
export function fakeGemini(...replies: Reply[]): { fetch: typeof fetch; requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = []
  return {
    requests,
    fetch: async (input, init) => {
      const text = String(init?.body)
      const url = new URL(String(input))
      const request = {
        url,
        method: init?.method ?? 'GET',
        headers: new Headers(init?.headers),
        text,
        body: JSON.parse(text) as RecordedRequest['body'],
      }
      requests.push(request)
      const broken = brokenRule(text, /models\/([^:]+)/.exec(url.pathname)?.[1] ?? '')
      if (broken !== undefined) return failure(400, 'INVALID_ARGUMENT', broken)(request, undefined)
      const reply = replies[Math.min(requests.length, replies.length) - 1]
      if (reply === undefined) throw new Error('the fake has no reply')
      return reply(request, init?.signal ?? undefined)
    },
  }
}

/** A response body of the API. */
export function responseBody(parts: unknown[], more: Record<string, unknown> = {}): Record<string, unknown> {
  const { finishReason = 'STOP', finishMessage, ...rest } = more
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        finishReason,
        ...(finishMessage ? { finishMessage } : {}),
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: 'gemini-test',
    responseId: 'response-1',
    ...rest,
  }
}

/** Replies with one whole answer. */
export function answer(parts: unknown[], more: Record<string, unknown> = {}): Reply {
  return json(responseBody(parts, more))
}

/** Replies with this body. */
export function json(body: unknown, status = 200): Reply {
  return () => Response.json(body, { status })
}

/** Replies with an error as the API words it. */
export function failure(status: number, name: string, message: string, details: unknown[] = []): Reply {
  return json({ error: { code: status, message, status: name, details } }, status)
}

/** A chunk of a streamed answer; only the last has a finish reason. */
export function chunk(
  parts: unknown[],
  last = false,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const usageMetadata = {
    promptTokenCount: 10,
    candidatesTokenCount: last ? 5 : 1,
    totalTokenCount: last ? 15 : 11,
  }
  return {
    candidates: [{ content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}), index: 0 }],
    usageMetadata,
    responseId: 'response-1',
    ...more,
  }
}

/** Server-sent events as the API writes them. */
export function sseBytes(chunks: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(chunks.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''))
}

export interface StreamOptions {
  /** How many bytes each piece has; the last number is used for the rest. Default: all at once. */
  readonly pieces?: readonly number[]
  /** What happens after the last byte. Default: the stream ends. */
  readonly atEnd?: 'end' | 'stall' | 'stall-deaf' | 'break'
}

/** Replies with a stream of events, cut into pieces anywhere. */
export function stream(chunks: readonly unknown[], options: StreamOptions = {}): Reply {
  return (_request, signal) => {
    const bytes = sseBytes(chunks)
    const sizes = [...(options.pieces ?? [])]
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (options.atEnd !== 'stall-deaf')
          signal?.addEventListener('abort', () => controller.error(abortError()), { once: true })
      },
      pull(controller) {
        if (at < bytes.length) {
          const size = Math.max(1, (sizes.length > 1 ? sizes.shift() : sizes[0]) ?? bytes.length)
          controller.enqueue(bytes.slice(at, at + size))
          at += size
          return
        }
        if (options.atEnd === 'break') controller.error(new TypeError('terminated'))
        else if (options.atEnd === undefined || options.atEnd === 'end') controller.close()
        else return new Promise(() => {})
        return
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
