import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { isLoopback } from '@palimpsest/gateway'
import { UsageError } from '../../usage-error.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'

/** Longer than clients keep idle connections, in milliseconds, so that none sends into a closed one. */
const KEEP_ALIVE = 65_000

/** Milliseconds in which a request has to arrive; one that has not is answered with 408. */
export const ARRIVAL = Object.freeze({
  headers: SERVE_DEFAULTS.headerLimit,
  /** The headers included. */
  whole: 30_000,
})
/** The interval at which late requests are looked for, in milliseconds. Node's own, 30 s, is longer than the limits. */
const ARRIVAL_CHECK = 1_000

export async function listen(
  app: { readonly fetch: Parameters<typeof createAdaptorServer>[0]['fetch'] },
  port: number,
  host: string,
  { headers, whole }: Readonly<Record<keyof typeof ARRIVAL, number>> = ARRIVAL,
) {
  const server = createAdaptorServer({
    ...{ fetch: app.fetch, hostname: host },
    serverOptions: {
      headersTimeout: Math.min(headers, whole),
      requestTimeout: whole,
      connectionsCheckingInterval: Math.min(ARRIVAL_CHECK, headers),
      keepAliveTimeout: KEEP_ALIVE,
    },
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === 'EADDRINUSE'
          ? `port ${port} is used already; choose another with --port, or 0 for any`
          : `cannot listen on ${host}:${port} (${cause.code}); check --host and --port`
      reject(new UsageError(reason, { cause }))
    })
    server.listen(port, host, resolve)
  })
  const actual = (server.address() as AddressInfo).port
  return { server, port: actual, url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}` }
}

const SWEEP_INTERVAL = 20

/** Stops accepting connections. Returns a function that ends open ones within a limit in milliseconds. */
export function stopListening(server: Server): (limit: number) => Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
  return async (limit) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL)
    const timer = setTimeout(() => server.closeAllConnections(), limit)
    await stopped
    clearInterval(sweep)
    clearTimeout(timer)
  }
}

const LEAST_TOKEN = 8

/** Refuses a token that a header cannot carry, or that is too easy to guess on a public host. */
export function checkToken(token: string | undefined, host: string): void {
  if (token !== undefined && !/^[!-~](?:[ -~]*[!-~])?$/.test(token))
    throw new UsageError('a token may have letters, digits and signs of ASCII only, and no spaces around it')
  if (isLoopback(host)) return
  const reach = `--host ${host} can be reached from other machines`
  if (token === undefined) throw new UsageError(`${reach}: set a token in PALIMPSEST_TOKEN`)
  if (token.length < LEAST_TOKEN)
    throw new UsageError(
      `${reach}: a token of ${token.length} characters is soon guessed; use at least ${LEAST_TOKEN}, better 32 random ones`,
    )
}
