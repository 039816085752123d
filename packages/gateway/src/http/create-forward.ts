import type { GatewayLimits } from '../gateway-defaults.ts'
import type { RunningCalls } from '../pool/running-calls.ts'
import { type Credentials, requestHeaders, responseHeaders } from './forwarded-headers.ts'
import { uploadFault } from './gateway-fault.ts'
import type { Upstream } from './upstream.ts'

/** Headers that tell how to read a body. With its length it is not sent in chunks, which not every server takes. */
const BODY_HEADERS = ['content-type', 'content-length', 'content-encoding']

interface ForwardInput {
  readonly upstream: Upstream
  readonly credentials: Credentials
  readonly running: RunningCalls
  readonly limits: Pick<GatewayLimits, 'upload'>
}

/** Answers a request with what the upstream answers to it, both as they are. `path`: below the base URL. */
type Forward = (request: Request, path: string) => Promise<Response>

export function createForward({ upstream, credentials, running, limits: { upload } }: ForwardInput): Forward {
  return async (raw, path) => {
    const { signal, stop, end } = running.begin(raw.signal)
    const timer = setTimeout(() => stop(uploadFault(upload)), upload)
    const isThrough = () => clearTimeout(timer)
    signal.addEventListener('abort', end, { once: true })
    try {
      const headers = requestHeaders(raw.headers, credentials)
      for (const name of BODY_HEADERS) {
        const value = raw.headers.get(name)
        if (value !== null) headers.set(name, value)
      }
      const { method } = raw
      const body = raw.body?.pipeThrough(new TransformStream({ flush: isThrough })) ?? null
      const { search } = new URL(raw.url)
      const answer = await upstream.send(path, { method, headers, body, search, signal })
      isThrough()
      if (answer.body === null) end()
      const untilEnd = new TransformStream<Uint8Array, Uint8Array>({ flush: end, cancel: end })
      const { status } = answer
      return new Response(answer.body?.pipeThrough(untilEnd) ?? null, {
        status,
        headers: responseHeaders(answer.headers),
      })
    } catch (error) {
      isThrough()
      end()
      throw error
    }
  }
}
