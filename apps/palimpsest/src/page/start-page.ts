import { type Context, Hono } from 'hono'
import { loopbackHostOnly } from '../serve/http/guards.ts'
import { listen } from '../serve/http/listen.ts'
import { ServiceFault } from '../serve/http/service-fault.ts'
import { stopListening } from '../serve/http/stop-listening.ts'
import { createPageRoutes } from './page-routes.ts'
import type { ViewHub } from './view-hub.ts'

/** How long streams may take to end, in milliseconds. */
const CLOSE_LIMIT = 500

/** A page that is served to the browsers of this machine. */
export interface PageServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves the page of a hub on a free port of this machine alone. @throws UsageError when that cannot be done. */
export async function startPageServer({ hub }: { readonly hub: ViewHub }): Promise<PageServer> {
  const page = createPageRoutes(hub)
  const app = new Hono()
  app.use(loopbackHostOnly())
  app.route('/', page.routes)
  app.onError((error, context: Context) => {
    const { status, message } =
      error instanceof ServiceFault ? error : { status: 500 as const, message: 'the page failed' }
    return context.json({ error: { message } }, status)
  })
  const { server, url } = await listen(app, 0, '127.0.0.1')
  return {
    url,
    async close() {
      page.close()
      await stopListening(server)(CLOSE_LIMIT)
    },
  }
}
