import type { GatewayLimits } from '../gateway-defaults.ts'
import type { RunningCalls } from '../pool/running-calls.ts'
import { uploadFault } from './gateway-fault.ts'
import type { Upstream } from './upstream.ts'

/** Headers that tell the upstream who asks. */
export const CREDENTIALS = ['authorization', 'api-key', 'x-api-key']

const REQUEST =
  /^(?:x-|openai-|anthropic-|helicone-)|^(?:accept|user-agent|http-referer|referer|api-key|originator|(?:session|thread|conversation)[-_]id)$/
/** Ours, and what says where a client sits: nothing that an upstream has to know. */
const NOT_REQUEST = /^x-(?:palimpsest-|forwarded-|real-ip$)/
const RESPONSE =
  /^(?:x-|openai-|anthropic-)|^(?:content-type|cache-control|retry-after|retry-after-ms|request-id|cf-ray)$/
const NOT_RESPONSE = /^x-(?:palimpsest-|accel-)/

export interface Credentials {
  /** Replaces the client's. */
  readonly apiKey: string | undefined
  /** The service has a token of its own: the client's authorization is that, and never leaves. */
  readonly hasToken: boolean
}

/** The headers of a client's request that the upstream gets. Nothing that belongs to the connection. */
export function requestHeaders(given: Headers, { apiKey, hasToken }: Credentials): Headers {
  const headers = new Headers()
  for (const [name, value] of given)
    if (REQUEST.test(name) && !NOT_REQUEST.test(name)) headers.set(name, value)
  const authorization = given.get('authorization')
  if (hasToken || apiKey !== undefined) for (const name of CREDENTIALS) headers.delete(name)
  if (apiKey !== undefined) {
    // Anthropic's API has a header of its own for keys, and each of its requests says its version.
    if (given.has('anthropic-version')) headers.set('x-api-key', apiKey)
    else headers.set('authorization', `Bearer ${apiKey}`)
  } else if (authorization !== null && !hasToken) headers.set('authorization', authorization)
  return headers
}

/** The headers of the upstream's answer that the client gets: the body arrives decoded, and perhaps changed. */
export function responseHeaders(given: Headers): Headers {
  const headers = new Headers()
  for (const [name, value] of given)
    if (RESPONSE.test(name) && !NOT_RESPONSE.test(name)) headers.set(name, value)
  return headers
}

/** The client's credentials as one text; empty when all clients of the service share a token. */
export function credentialsOf(given: Headers, { hasToken }: Credentials): string {
  if (hasToken) return ''
  return CREDENTIALS.map((name) => given.get(name) ?? '').join('\n')
}

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
      const sent = await upstream.send(path, { method, headers, body, search, signal })
      const answer = sent.toResponse()
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
