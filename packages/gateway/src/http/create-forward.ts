import { type Credentials, requestHeaders, responseHeaders } from './forwarded-headers.ts'
import type { RunningRequests } from './running-requests.ts'
import type { Upstream } from './upstream.ts'

/** Headers that tell how to read a body. With its length it is not sent in chunks, which not every server takes. */
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding']

interface ForwardInput {
  readonly upstream: Upstream
  readonly credentials: Credentials
  readonly running: RunningRequests
}

/** Answers a request with what the upstream answers to it, both as they are. `path`: below the base URL. */
export type Forward = (request: Request, path: string) => Promise<Response>

export function createForward({ upstream, credentials, running }: ForwardInput): Forward {
  return async (raw, path) => {
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
      const answer = await upstream.send(path, { method, headers, body, search, signal })
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
