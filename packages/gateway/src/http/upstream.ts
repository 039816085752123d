import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { BodyPiece } from '../formats/body-pieces.ts'
import { CREDENTIALS } from './forwarded-headers.ts'
import { GatewayFault } from './gateway-fault.ts'

export interface UpstreamRequest {
  /** Default `POST`. */
  readonly method?: string
  readonly headers: Headers
  /** In pieces, or as it comes. */
  readonly body: readonly BodyPiece[] | ReadableStream<Uint8Array> | null
  /** The query of the client's request, with its question mark. */
  readonly search?: string
  readonly signal: AbortSignal
}

/** The bytes of an answer. What they fail with is a `GatewayFault`, or `signal.reason`. */
export interface UpstreamBody extends AsyncIterable<Uint8Array> {
  /** Gives the connection up. */
  cancel(): void
}

export interface UpstreamAnswer extends Pick<Response, 'ok' | 'status' | 'headers'> {
  readonly body: UpstreamBody
  text(): Promise<string>
  /** To be passed on. */
  toResponse(): Response
}

/** The server behind the gateway. */
export interface Upstream {
  /**
   * Sends a request: a large body in pieces several times faster than `fetch`.
   *
   * @param path below the base URL, such as `/chat/completions`.
   * @throws GatewayFault 502 when it cannot be reached, 504 when it is silent; `signal.reason` on abort.
   */
  send(path: string, request: UpstreamRequest): Promise<UpstreamAnswer>
}

interface UpstreamInput {
  /** Ends in `/v1`, usually. A query is kept. */
  readonly baseUrl: string
  /** Milliseconds without a byte. */
  readonly idle: number
}

/** A connection that was kept was closed by the other side in the moment of its use: the request is sent once more. */
const STALE = new Set(['ECONNRESET', 'EPIPE'])

export function createUpstream({ baseUrl, idle }: UpstreamInput): Upstream {
  const { host } = new URL(baseUrl)
  const stalled = () =>
    new GatewayFault(504, 'upstream_stalled', `the upstream ${host} sent nothing for ${idle / 1_000} s`)

  /** By path: requests for answers have few of them. */
  const targets = new Map<string, URL>()
  const targetOfPost = (path: string): URL => {
    const url = targets.get(path) ?? targetOf(baseUrl, path, '')
    targets.set(path, url)
    return url
  }

  return {
    async send(path, { method = 'POST', search = '', signal, ...sent }) {
      const isKept = method === 'POST' && search === '' && Array.isArray(sent.body)
      const url = isKept ? targetOfPost(path) : targetOf(baseUrl, path, search)
      const timer = createIdleTimer(idle, stalled, signal)
      const explain = (error: unknown) => {
        timer.stop()
        return timer.signal.aborted ? timer.signal.reason : error
      }
      try {
        const incoming = await ask(url, { ...sent, method, signal: timer.signal })
        timer.touch()
        return toAnswer(incoming, method, timer, (error) => explain(cutOff(host, error)))
      } catch (error) {
        throw explain(unreachable(host, error))
      }
    },
  }
}

/** @throws GatewayFault 404 for a path that leads out of the base URL. */
function targetOf(baseUrl: string, path: string, search: string): URL {
  const url = new URL(baseUrl)
  const base = url.pathname.replace(/(?<!\/)\/+$/, '')
  url.pathname = `${base}${path}`
  if (!url.pathname.startsWith(`${base}/`))
    throw new GatewayFault(404, 'unknown_path', `there is no ${path || '/'} below the upstream's base URL`)
  if (search === '') return url
  for (const [name, value] of new URLSearchParams(search)) url.searchParams.append(name, value)
  return url
}

type Asked = Pick<UpstreamRequest, 'headers' | 'body' | 'signal'> & { readonly method: string }

/** So many redirects are followed. */
const MOST_REDIRECTS = 5
/** Statuses of redirects that keep a request as it is, and of all others. */
const KEEPS: ReadonlySet<unknown> = new Set([307, 308])
const REDIRECTS: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308])

async function ask(url: URL, asked: Asked, redirects = 0): Promise<IncomingMessage> {
  const incoming = await askOnce(url, asked)
  const { statusCode, headers } = incoming
  const isRead = asked.method === 'GET' || asked.method === 'HEAD'
  const isMoved = isRead ? REDIRECTS.has(statusCode) : KEEPS.has(statusCode) && isRepeatable(asked)
  if (!isMoved || headers.location === undefined || redirects >= MOST_REDIRECTS) return incoming
  incoming.resume()
  const to = new URL(headers.location, url)
  if (to.origin === url.origin) return ask(to, asked, redirects + 1)
  const kept = new Headers(asked.headers)
  for (const name of CREDENTIALS) kept.delete(name)
  return ask(to, { ...asked, headers: kept }, redirects + 1)
}

function isRepeatable({ body }: Asked): boolean {
  return !(body instanceof ReadableStream)
}

/** Bytes of a body that is copied to be written at once. */
const SMALL_BODY = 256 * 1024

function joined(body: readonly BodyPiece[], size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of body) {
    if (typeof piece === 'string') at += bytes.write(piece, at)
    else {
      bytes.set(piece, at)
      at += piece.length
    }
  }
  return bytes
}

function askOnce(url: URL, asked: Asked, isAgain = false): Promise<IncomingMessage> {
  const { method, headers, body, signal } = asked
  const pieces = body instanceof ReadableStream ? null : body
  const size = pieces?.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0) ?? 0
  const own = { ...(pieces !== null && { 'content-length': size }), 'accept-encoding': 'identity' }
  const given = { accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(headers), ...own }
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    signal.throwIfAborted()
    const call = send(url, { method, headers: given }, resolve)
    const abort = () => call.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    call.on('close', () => signal.removeEventListener('abort', abort))
    call.on('error', (error) => {
      const isStale = !isAgain && isRepeatable(asked) && STALE.has(codeOf(error) ?? '')
      if (isStale && !signal.aborted) resolve(askOnce(url, asked, true))
      else reject(error)
    })
    if (body instanceof ReadableStream) return pipeline(Readable.fromWeb(body), call, () => {})
    if (size <= SMALL_BODY) return void call.end(joined(body ?? [], size))
    for (const piece of body ?? []) call.write(piece)
    call.end()
  })
}

/** For servers that encode an answer although they were asked not to. */
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}
/** The statuses of answers that have no body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304])

function toAnswer(
  incoming: IncomingMessage,
  method: string,
  timer: IdleTimer,
  explain: (error: unknown) => unknown,
): UpstreamAnswer {
  const { statusCode: status = 502, headersDistinct } = incoming
  const hasBody = method !== 'HEAD' && !NO_BODY.has(status)
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  const decoder = DECODERS[headers.get('content-encoding') ?? '']?.()
  const decoded =
    decoder === undefined ? incoming : incoming.on('error', (error) => decoder.destroy(error)).pipe(decoder)
  async function* read() {
    try {
      for await (const chunk of decoded) {
        timer.touch()
        yield chunk as Uint8Array
        // The time that a slow client takes is not the upstream's.
        timer.touch()
      }
    } catch (error) {
      throw explain(error)
    } finally {
      timer.stop()
    }
  }
  const body: UpstreamBody = { [Symbol.asyncIterator]: read, cancel: () => void incoming.destroy() }
  return {
    status,
    ok: status >= 200 && status < 300,
    headers,
    body,
    async text() {
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      return new TextDecoder().decode(Buffer.concat(chunks))
    },
    toResponse() {
      if (hasBody) return new Response(ReadableStream.from(body), { status, headers })
      timer.stop()
      incoming.resume()
      return new Response(null, { status, headers })
    },
  }
}

function unreachable(host: string, cause: unknown): GatewayFault {
  const code = codeOf(cause)
  const why = code === undefined ? '' : ` (${code})`
  const message = `the upstream ${host} cannot be reached${why}: check that it runs, and the base URL of the gateway's upstream`
  return new GatewayFault(502, 'upstream_unreachable', message, { cause })
}

function cutOff(host: string, cause: unknown): GatewayFault {
  const message = `the upstream ${host} broke off in the middle of its answer; try again`
  return new GatewayFault(502, 'upstream_disconnected', message, { cause })
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Aborts when nothing happened for a while, and when the request does. */
interface IdleTimer {
  readonly signal: AbortSignal
  /** Something happened. */
  touch(): void
  stop(): void
}

/**
 * @param limit in milliseconds.
 * @param reason makes what the signal aborts with.
 * @param outer the signal of the request.
 */
function createIdleTimer(limit: number, reason: () => Error, outer: AbortSignal): IdleTimer {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => controller.abort(reason()), limit)
  return {
    signal: controller.signal,
    touch: () => {
      timer.refresh()
    },
    stop: () => clearTimeout(timer),
  }
}
