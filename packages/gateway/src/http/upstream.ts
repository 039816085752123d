import { fetchWithin } from '@palimpsest/provider-utils'
import { GatewayFault } from './gateway-fault.ts'

export interface UpstreamRequest {
  /** Default `POST`. */
  readonly method?: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  /** The query of the client's request, with its question mark. */
  readonly search?: string
  readonly signal: AbortSignal
}

/** The server behind the gateway. */
export interface Upstream {
  /**
   * Sends a request. Redirects are refused: they would lead keys to another server. The body of the answer fails with a
   * `GatewayFault` or `signal.reason`, too.
   *
   * @param path below the base URL, such as `/chat/completions`.
   * @throws GatewayFault 502 when it cannot be reached, 504 when it is silent; `signal.reason` on abort.
   */
  send(path: string, request: UpstreamRequest): Promise<Response>
}

interface UpstreamInput {
  /** Ends in `/v1`, usually. A query is kept. */
  readonly baseUrl: string
  /** Milliseconds without a byte. */
  readonly idle: number
}

export function createUpstream({ baseUrl, idle }: UpstreamInput): Upstream {
  const { host } = new URL(baseUrl)
  const fetchUpstream = fetchWithin(idle)
  const explain = (error: unknown, signal: AbortSignal, otherwise: GatewayFault): unknown => {
    if (signal.aborted) return signal.reason
    if (!SILENCE.has(codeOf(error) ?? '')) return otherwise
    return new GatewayFault(
      504,
      'upstream_stalled',
      `the upstream ${host} sent nothing for ${idle / 1_000} s`,
    )
  }

  async function* read(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
    try {
      yield* body
    } catch (cause) {
      const message = `the upstream ${host} broke off in the middle of its answer; try again`
      throw explain(cause, signal, new GatewayFault(502, 'upstream_disconnected', message, { cause }))
    }
  }

  return {
    async send(path, { method = 'POST', search = '', ...request }) {
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
      return new Response(body && ReadableStream.from(read(body, signal)), { status, headers })
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
  for (const [name, value] of new URLSearchParams(search)) url.searchParams.append(name, value)
  return url
}

/** Codes of `fetch` for an upstream that is silent for too long. */
const SILENCE: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** The code of the error behind one of `fetch`. */
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
