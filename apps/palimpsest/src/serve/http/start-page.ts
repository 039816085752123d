import type { Inspector } from '@palimpsest/inspector'
import { type Context, Hono } from 'hono'
import { loopbackHostOnly, ownPagesOnly } from './guards.ts'
import { listen, stopListening } from './listen.ts'
import { ServiceFault } from './service-fault.ts'

/** Milliseconds for streams to tell what came last and to end: on a busy machine that takes more than a moment. */
const CLOSE_LIMIT = 2_000

/** A page that is served to the browsers of this machine. */
export interface PageServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the page of an inspector on a free port of this machine alone. */
export async function startPageServer(inspector: Pick<Inspector, 'fetch' | 'close'>): Promise<PageServer> {
  const app = new Hono()
  app.use(loopbackHostOnly(), ownPagesOnly())
  app.get('*', (context) => inspector.fetch(context.req.raw))
  app.onError((error, context: Context) => {
    const { status, message } =
      error instanceof ServiceFault ? error : { status: 500 as const, message: 'the page failed' }
    return context.json({ error: { message } }, status)
  })
  const { server, url } = await listen(app, 0, '127.0.0.1')
  return {
    url,
    async close() {
      inspector.close()
      await stopListening(server)(CLOSE_LIMIT)
    },
  }
}
