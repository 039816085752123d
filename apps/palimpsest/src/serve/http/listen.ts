import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { UsageError } from '../../usage-error.ts'

/** Idle connections are kept this long, in milliseconds: longer than clients keep theirs, so that none sends into a closed one. */
const KEEP_ALIVE = 65_000

/** A server that takes calls. */
export interface Listening {
  readonly server: Server
  /** The real one. */
  readonly port: number
  readonly url: string
}

/**
 * Puts an application onto a port; 0 is any that is free.
 *
 * @throws UsageError when the address cannot be used.
 */
export async function listen(
  app: { readonly fetch: Parameters<typeof createAdaptorServer>[0]['fetch'] },
  port: number,
  host: string,
): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server
  server.keepAliveTimeout = KEEP_ALIVE
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
