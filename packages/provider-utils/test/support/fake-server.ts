import type { ModelError } from '@palimpsest/core'

/** A key that is easy to find in a message. Not of a known shape, so that only knowing it can hide it. */
export const testKey = 'test-key-0123456789'

/** Answers a request. The signal is the one that the SDK passes to `fetch`. */
export type Reply<Request> = (
  request: Request,
  signal: AbortSignal | undefined,
) => Response | Promise<Response>

/** A server behind a `fetch`. Replies are used one after the other, the last one again and again. */
export function fakeServer<Request>(
  replies: readonly Reply<Request>[],
  read: (input: string, init: RequestInit | undefined) => Request,
): { fetch: typeof fetch; requests: Request[] } {
  const requests: Request[] = []
  return {
    requests,
    fetch: async (input, init) => {
      const request = read(String(input), init)
      requests.push(request)
      const reply = replies[Math.min(requests.length, replies.length) - 1]
      if (reply === undefined) throw new Error('the fake has no reply')
      return reply(request, init?.signal ?? undefined)
    },
  }
}

/** Replies with this body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}) {
  return () => Response.json(body, { status, headers })
}

export interface StreamOptions {
  /** The size of each piece, in bytes; the last number is used for the rest. Default: all at once. */
  readonly pieces?: readonly number[]
  /** The behaviour after the last byte. Default: the stream ends. */
  readonly atEnd?: 'end' | 'stall' | 'stall-deaf' | 'break' | undefined
}

/** Replies with a stream of events, cut into pieces anywhere. */
export function streamText(text: string, { pieces = [], atEnd = 'end' }: StreamOptions = {}): Reply<unknown> {
  return (_request, signal) => {
    const bytes = new TextEncoder().encode(text)
    const sizes = [...pieces]
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (atEnd !== 'stall-deaf')
          signal?.addEventListener('abort', () => controller.error(abortError()), { once: true })
      },
      pull(controller) {
        if (at < bytes.length) {
          const size = Math.max(1, (sizes.length > 1 ? sizes.shift() : sizes[0]) ?? bytes.length)
          controller.enqueue(bytes.slice(at, at + size))
          at += size
        } else if (atEnd === 'break') controller.error(new TypeError('terminated'))
        else if (atEnd === 'end') controller.close()
        else return new Promise(() => {})
        return undefined
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** Never answers. Rejects on abort as `fetch` does, unless it is deaf. */
export function hang(deaf = false): Reply<unknown> {
  return (_request, signal) =>
    new Promise((_resolve, reject) => {
      if (!deaf) signal?.addEventListener('abort', () => reject(abortError()), { once: true })
    })
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<ModelError> {
  return call.then(
    () => {
      throw new Error('the call did not fail')
    },
    (error: unknown) => error as ModelError,
  )
}

function abortError(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError')
}
