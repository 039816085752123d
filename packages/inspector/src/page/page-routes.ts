import { type Context, Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { ShownSessions } from '../view/view-recorder.ts'
import { readPageTemplate } from './page-template.ts'
import { createSessionFeeds } from './session-feeds.ts'

export function createPageRoutes(sessions: ShownSessions) {
  const feeds = createSessionFeeds(sessions)
  const routes = new Hono()
  routes.get('/', pageHeaders, async (context) => {
    context.header('cache-control', 'no-cache')
    return context.html(await readPageTemplate())
  })
  routes.use('/api/*', async (context, next) => {
    await next()
    context.header('cache-control', 'no-store')
    context.header('x-content-type-options', 'nosniff')
  })
  routes.get('/api/sessions', async (context) => context.json({ sessions: await sessions.list() }))
  routes.get('/api/sessions/:id', async (context) => {
    const view = await feeds.view(context.req.param('id'))
    return view === undefined ? unknownSession(context) : context.json({ view })
  })
  routes.get(
    '/api/sessions/:id/events',
    async (context) => (await feeds.follow(context, context.req.param('id'))) ?? unknownSession(context),
  )
  routes.get('/api/events', (context) => feeds.followList(context))
  routes.notFound((context) =>
    fault(context, 404, 'unknown-route', 'there is no such route; the page is at /'),
  )
  routes.onError((error, context) => fault(context, 500, 'internal', error.message))
  return { routes, close: feeds.close }
}

/** The page talks only to its own origin and shows conversations as text, so injected content cannot load anything. */
const pageHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'unsafe-inline'"],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ['data:', 'blob:'],
    fontSrc: ['data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: 'no-referrer',
  // HSTS is up to the proxy that terminates TLS.
  strictTransportSecurity: false,
})

function unknownSession(context: Context): Response {
  const message = 'there is no such session here (any more); GET /api/sessions lists those that are'
  return fault(context, 404, 'unknown-session', message, 'id')
}

function fault(context: Context, status: 404 | 500, code: string, message: string, path?: string): Response {
  return context.json({ error: { code, message, path } }, status)
}
