import type { Context } from 'hono'
import { type Credentials, requestHeaders, responseHeaders } from './forwarded-headers.ts'
import type { RunningCalls } from './running-calls.ts'
import type { Upstream } from './upstream.ts'

/** What says how a body is to be read. With its length it is not sent in chunks, which not every server takes. */
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding']

interface ForwardInput {
  readonly upstream: Upstream
  readonly credentials: Credentials
  readonly running: RunningCalls
  /** What paths of the gateway begin with. */
  readonly prefix: string
}

/** Answers a request with what the upstream answers to it, both as they are. */
export function createForward({ upstream, credentials, running, prefix }: ForwardInput) {
  return async (context: Context): Promise<Response> => {
    const { raw, path } = context.req
    const { signal, end } = running.begin(raw.signal)
    signal.addEventListener('abort', end, { once: true })
    try {
      const headers = requestHeaders(raw.headers, credentials)
      for (const name of BODY_HEADERS) {
        const value = raw.headers.get(name)
        if (value !== null) headers.set(name, value)
      }
      const { method, body } = raw
      const { search } = new URL(raw.url)
      const answer = await upstream.send(path.slice(prefix.length), { method, headers, body, search, signal })
      if (answer.body === null) end()
      const untilEnd = new TransformStream<Uint8Array, Uint8Array>({ flush: end, cancel: end })
      const { status } = answer
      return new Response(answer.body?.pipeThrough(untilEnd) ?? null, {
        status,
        headers: responseHeaders(answer.headers),
      })
    } catch (error) {
      end()
      throw error
    }
  }
}
