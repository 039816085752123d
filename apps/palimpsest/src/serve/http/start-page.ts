import type { Inspector } from '@palimpsest/inspector'
import { Hono } from 'hono'
import { bearerToken, type CallContext, loopbackHostOnly, ownPagesOnly } from './guards.ts'
import { listen, stopListening } from './listen.ts'
import { ServiceFault } from './service-fault.ts'

const CLOSE_LIMIT = 2_000

export type PageServer = Awaited<ReturnType<typeof startPageServer>>

export async function startPageServer(inspector: Pick<Inspector, 'fetch' | 'close'>) {
  const app = guardedApp(true)
  app.get('*', (context) => inspector.fetch(context.req.raw))
  const { server, url } = await listen(app, 0, '127.0.0.1')
  return {
    url,
    async close(): Promise<void> {
      inspector.close()
      await stopListening(server)(CLOSE_LIMIT)
    },
  }
}

export function guardedApp(isLocal: boolean, token?: string): Hono<CallContext> {
  const app = new Hono<CallContext>()
  if (isLocal) app.use(loopbackHostOnly(), ownPagesOnly())
  if (token !== undefined) app.use(bearerToken(token, []))
  return app.onError((error, context) => {
    const { status, message } =
      error instanceof ServiceFault ? error : { status: 500 as const, message: 'the page failed' }
    return context.json({ error: { message } }, status)
  })
}
