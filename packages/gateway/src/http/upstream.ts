import { GatewayFault } from './gateway-fault.ts'

export interface UpstreamRequest {
  readonly method: string
  readonly headers: Headers
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
  /** The query of the client's request, with its question mark. */
  readonly search?: string
  readonly signal: AbortSignal
}

/** The server behind the gateway. */
export interface Upstream {
  /**
   * Sends a request. The answer's body fails with a `GatewayFault`, too.
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

/** A connection that was kept was closed by the other side in the moment of its use: the request is sent once more. */
const STALE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

export function createUpstream({ baseUrl, idle }: UpstreamInput): Upstream {
  const { host } = new URL(baseUrl)
  const stalled = () =>
    new GatewayFault(504, 'upstream_stalled', `the upstream ${host} sent nothing for ${idle / 1_000} s`)

  return {
    async send(path, { search = '', signal, ...init }) {
      const url = targetOf(baseUrl, path, search)
      const timer = createIdleTimer(idle, stalled)
      const explain = (error: unknown): unknown => {
        timer.stop()
        if (signal.aborted) return signal.reason
        if (timer.signal.aborted) return timer.signal.reason
        return error
      }
      try {
        const streamed = init.body instanceof ReadableStream ? { duplex: 'half' as const } : {}
        const request = { ...init, ...streamed, signal: AbortSignal.any([signal, timer.signal]) }
        const response = await fetch(url, request).catch((error) => {
          if (init.body instanceof ReadableStream || !STALE.has(codeOf(error) ?? '')) throw error
          return fetch(url, request)
        })
        timer.touch()
        if (response.body === null) timer.stop()
        const body = response.body && watchBody(response.body, timer, (error) => explain(cutOff(host, error)))
        return new Response(body, { status: response.status, headers: response.headers })
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
  for (const [name, value] of new URLSearchParams(search)) url.searchParams.append(name, value)
  return url
}

/** A body that keeps the timer going, and whose errors say what happened. */
function watchBody(
  body: ReadableStream<Uint8Array>,
  timer: IdleTimer,
  explain: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      // The time that a slow client takes is not the upstream's.
      timer.touch()
      try {
        const { done, value } = await reader.read()
        timer.touch()
        if (!done) return controller.enqueue(value)
        timer.stop()
        controller.close()
      } catch (error) {
        controller.error(explain(error))
      }
    },
    cancel(reason) {
      timer.stop()
      return reader.cancel(reason)
    },
  })
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

/** Of what stands behind the error of a `fetch`. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
}

/** Aborts when nothing happened for a while. */
interface IdleTimer {
  readonly signal: AbortSignal
  /** Something happened. */
  touch(): void
  stop(): void
}

/**
 * @param limit in milliseconds.
 * @param reason makes what the signal aborts with.
 */
function createIdleTimer(limit: number, reason: () => Error): IdleTimer {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(reason()), limit)
  return {
    signal: controller.signal,
    touch: () => {
      timer.refresh()
    },
    stop: () => clearTimeout(timer),
  }
}
