import { type Clock, looseOf } from '@palimpsest/core'
import { fetchWithin } from '@palimpsest/provider-utils'
import { GatewayFault } from './gateway-fault.ts'

export const CREDENTIALS = ['authorization', 'api-key', 'x-api-key']

const REQUEST =
  /^(?:x-|openai-|anthropic-|helicone-)|^(?:accept|user-agent|http-referer|referer|api-key|originator|(?:session|thread|conversation)[-_]id)$/
/** Our headers, and those about the client's location, which an upstream need not know. */
const NOT_REQUEST = /^x-(?:palimpsest-|forwarded-|real-ip$)/
const RESPONSE =
  /^(?:x-|openai-|anthropic-)|^(?:content-type|cache-control|retry-after|retry-after-ms|request-id|cf-ray)$/
const NOT_RESPONSE = /^x-(?:palimpsest-|accel-)/

export interface Credentials {
  readonly apiKey: string | undefined
  readonly hasToken: boolean
  readonly oneUser?: boolean
}

export function requestHeaders(given: Headers, { apiKey, hasToken }: Credentials): Headers {
  const headers = new Headers()
  for (const [name, value] of given)
    if (REQUEST.test(name) && !NOT_REQUEST.test(name)) headers.set(name, value)
  const authorization = given.get('authorization')
  if (hasToken || apiKey !== undefined) for (const name of CREDENTIALS) headers.delete(name)
  if (apiKey !== undefined) {
    // Anthropic's API has its own header for keys, and each request states its version.
    if (given.has('anthropic-version')) headers.set('x-api-key', apiKey)
    else headers.set('authorization', `Bearer ${apiKey}`)
  } else if (authorization !== null && !hasToken) headers.set('authorization', authorization)
  return headers
}

/** The body arrives decoded, and perhaps changed. */
export function responseHeaders(given: Headers): Headers {
  const headers = new Headers()
  for (const [name, value] of given)
    if (RESPONSE.test(name) && !NOT_RESPONSE.test(name)) headers.set(name, value)
  return headers
}

export function credentialsOf(given: Headers, { hasToken, oneUser }: Credentials): string {
  if (hasToken || oneUser) return ''
  return CREDENTIALS.map((name) => given.get(name) ?? '').join('\n')
}

export interface UpstreamRequest {
  readonly method?: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  readonly search?: string
  readonly signal: AbortSignal
}

export type Upstream = ReturnType<typeof createUpstream>

export function createUpstream(baseUrl: string, idle: number) {
  const { host } = new URL(baseUrl)
  const fetchUpstream = fetchWithin(idle)
  const explain = (error: unknown, signal: AbortSignal, otherwise: GatewayFault): unknown => {
    if (signal.aborted) return signal.reason
    if (!SILENCE.has(codeOf(error) ?? '')) return otherwise
    return new GatewayFault(
      504,
      'upstream_stalled',
      `the upstream ${host} sent nothing for ${idle / 1_000} s; try again`,
    )
  }

  async function* read(body: ReadableStream<Uint8Array>, signal: AbortSignal, most: number) {
    let bytes = 0
    try {
      for await (const part of body) {
        bytes += part.length
        if (bytes > most)
          throw new GatewayFault(
            502,
            'upstream_too_large',
            `the answer of the upstream ${host} is more than ${most / MEGABYTE} MB when it is decoded; ask for a shorter one`,
          )
        yield part
      }
    } catch (cause) {
      if (cause instanceof GatewayFault) throw cause
      const message = `the upstream ${host} broke off in the middle of its answer; try again`
      throw explain(cause, signal, new GatewayFault(502, 'upstream_disconnected', message, { cause }))
    }
  }

  return {
    /**
     * Sends a request. Redirects are refused, because they would send keys to another server. Reading the answer's body
     * also fails with a `GatewayFault` or `signal.reason`.
     *
     * @param path The path relative to the base URL, such as `/chat/completions`.
     */
    async send(
      path: string,
      { method = 'POST', search = '', ...request }: UpstreamRequest,
    ): Promise<Response> {
      const { signal } = request
      const url = targetOf(baseUrl, path, search)
      const init = { ...request, method, redirect: 'manual', duplex: 'half' } as const
      const answer = await fetchUpstream(url, init).catch((error: unknown) => {
        throw explain(error, signal, unreachable(host, error))
      })
      const { status, headers, body } = answer
      const location = headers.get('location')
      if (status >= 300 && status < 400 && location !== null) {
        await body?.cancel()
        const message = `the upstream ${host} redirects to ${location}: set the base URL of the gateway's upstream accordingly`
        throw new GatewayFault(502, 'upstream_redirects', message)
      }
      // Such a status has no content, or no client knows it, so it does not answer a call.
      const isKnown = status >= 200 && status < 600 && (status < 300 || status >= 400)
      if (!isKnown || (method === 'POST' && (status === 204 || status === 205))) {
        await body?.cancel()
        const message = `the upstream ${host} answered with the status ${status}, which is no answer to this call`
        throw new GatewayFault(502, 'upstream_status', message)
      }
      return new Response(body && ReadableStream.from(read(body, signal, mostBytes(headers))), {
        status,
        headers,
      })
    },
  }
}

const MEGABYTE = 1_048_576
/** Models' text shrinks to a fifth; a larger ratio beyond a few megabytes is an attack on memory. */
const MOST_RATIO = 50
const LEAST_BOUND = 16 * MEGABYTE
const UNKNOWN_BOUND = 64 * MEGABYTE

function mostBytes(headers: Headers): number {
  if (!headers.has('content-encoding')) return Number.POSITIVE_INFINITY
  const sent = Number(headers.get('content-length') ?? Number.NaN)
  return Number.isFinite(sent)
    ? Math.max(LEAST_BOUND, Math.ceil((sent * MOST_RATIO) / MEGABYTE) * MEGABYTE)
    : UNKNOWN_BOUND
}

function targetOf(baseUrl: string, path: string, search: string): URL {
  const url = new URL(baseUrl)
  const base = url.pathname.replace(/(?<!\/)\/+$/, '')
  url.pathname = `${base}${path}`
  if (!url.pathname.startsWith(`${base}/`))
    throw new GatewayFault(
      404,
      'unknown_path',
      `there is no ${path || '/'} below the upstream's base URL; check the base URL of the client`,
    )
  for (const [name, value] of new URLSearchParams(search)) url.searchParams.append(name, value)
  return url
}

/** Codes of `fetch` for an upstream that is silent for too long. */
const SILENCE: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
}

function unreachable(host: string, cause: unknown): GatewayFault {
  const code = codeOf(cause)
  const why = code === undefined ? '' : ` (${code})`
  const message = `the upstream ${host} cannot be reached${why}: check that it runs, and the base URL of the gateway's upstream`
  return new GatewayFault(502, 'upstream_unreachable', message, { cause })
}

/** Time in milliseconds after which a missing list is requested again: a key may be corrected, or a server started. */
const AGE_OF_NONE = 30_000

export type ModelWindows = ReturnType<typeof createModelWindows>

interface ModelWindowsInput {
  readonly window: number
  readonly maxWindow?: number | undefined
  readonly windows: Readonly<Record<string, number>>
  readonly age: number
  readonly clock: Clock
}

export function createModelWindows(input: ModelWindowsInput) {
  const { window, maxWindow = Number.POSITIVE_INFINITY, windows, age, clock } = input
  const listed = new Map<string, number>()
  let asked: Promise<void> | undefined
  let until = 0

  const read = (list: unknown): void => {
    for (const [model, found] of readWindows(list)) listed.set(model, found)
  }

  const load = async (ask: () => Promise<Response>): Promise<void> => {
    try {
      const response = await ask()
      if (response.ok) return read(await response.json())
      await response.body?.cancel()
    } catch {
      // Many servers have no list, or no windows in it; the default applies.
    }
    until = clock.now() + Math.min(age, AGE_OF_NONE)
  }

  const own = async (
    model: string,
    ask: () => Promise<Response>,
    said: number | undefined,
  ): Promise<number> => {
    if (Object.hasOwn(windows, model)) return windows[model] ?? window
    if (said !== undefined) return said
    if (clock.now() >= until) {
      until = clock.now() + age
      asked = load(ask)
    }
    await asked
    return listed.get(model) ?? window
  }

  return {
    /**
     * The window of a model, at most `maxWindow`: from the configuration, else the request, else the upstream's list,
     * else the default. Never fails.
     *
     * @param ask Requests the upstream's list.
     * @param said The request's own window.
     */
    async find(model: string, ask: () => Promise<Response>, said?: number): Promise<number> {
      return Math.min(maxWindow, await own(model, ask, said))
    },
    read,
  }
}

/**
 * Names of a model's window in the lists of servers: OpenRouter, vLLM, Groq, Mistral and LM Studio, Anthropic and
 * LiteLLM.
 */
const FIELDS = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'max_input_tokens']
/** A smaller number, in tokens, is not a chat model's window. */
const LEAST_WINDOW = 256

function readWindows(list: unknown): ReadonlyMap<string, number> {
  const { data } = looseOf(list)
  const windows = new Map<string, number>()
  for (const entry of Array.isArray(data) ? data : []) {
    const model = looseOf(entry)
    const found = FIELDS.map((field) => model[field]).find(isWindow)
    if (typeof model.id === 'string' && isWindow(found)) windows.set(model.id, found)
  }
  return windows
}

function isWindow(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= LEAST_WINDOW
}
