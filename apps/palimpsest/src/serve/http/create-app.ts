import { OpenAPIHono } from '@hono/zod-openapi'
import { errorText, redactSecrets } from '@palimpsest/core'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Conversations } from '../conversations/create-conversations.ts'
import { sessionState } from '../conversations/session-state.ts'
import type { DecisionsView } from '../decisions-view.ts'
import type { ServiceStore } from '../store/service-store.ts'
import type { CallContext } from './call-context.ts'
import { costReport } from './cost-report.ts'
import { bearerToken, boundedBody, jsonOnly, loopbackHostOnly } from './guards.ts'
import * as routes from './routes.ts'
import { ServiceFault } from './service-fault.ts'
import { toServiceFault } from './to-service-fault.ts'
import type { CallWatch } from './watch-calls.ts'

export interface AppInput {
  readonly conversations: Conversations
  readonly store: ServiceStore
  readonly watch: CallWatch
  /** What a store of decisions says of a session; null without one. */
  readonly decisionsOf: (sessionId: string) => Promise<DecisionsView | null>
  /** What `/health` says of the service. */
  readonly facts: {
    readonly version: string
    readonly engine: string
    readonly offline: boolean
    readonly durable: boolean
  }
  /** What callers have to send; without one, calls have to be addressed to this machine's own names. */
  readonly token: string | undefined
  /** Bytes. */
  readonly bodyLimit: number
  readonly log: (line: string) => void
}

/** The routes of the service with what guards them, ready to be served or to be called by a test. */
export function createApp(input: AppInput): OpenAPIHono<CallContext> {
  const { conversations, store, watch, decisionsOf, facts, token, bodyLimit, log } = input
  const app = new OpenAPIHono<CallContext>({
    defaultHook(result) {
      if (result.success) return
      const [issue] = result.error.issues
      const path = issue?.path.map(String).join('.') ?? ''
      const where = path === '' ? result.target : path
      throw new ServiceFault(422, 'invalid-field', `${where}: ${issue?.message ?? 'is wrong'}`, {
        path: where,
      })
    },
  })
  app.onError((error, context) => {
    const fault = toServiceFault(error)
    if (fault.status === 500) log(`error: ${redactSecrets(errorText(fault.cause)).replaceAll(/\s+/g, ' ')}`)
    return answerFault(context, fault)
  })
  app.notFound((context) =>
    answerFault(
      context,
      new ServiceFault(404, 'unknown-route', 'there is no such route; GET /openapi.json lists them'),
    ),
  )

  app.use(watch.handler)
  // With a token a stranger's page gets nothing either, and a proxy may forward the name that it has outside.
  app.use(token === undefined ? loopbackHostOnly() : bearerToken(token, ['/health']))
  app.use(jsonOnly(), boundedBody(bodyLimit))

  app.openapi(routes.initRoute, async (context) => {
    const { session, repoName } = context.req.valid('json')
    context.get('noted').session = session
    await conversations.begin(session, repoName, context.get('signal'))
    return context.json({ ok: true as const, session, repoName: repoName ?? null }, 200)
  })
  app.openapi(routes.queryRoute, async (context) => {
    const { session, query, task, relevantCodes, requestId } = context.req.valid('json')
    const noted = context.get('noted')
    const signal = context.get('signal')
    noted.session = session
    const codes = relevantCodes?.map((piece) => (typeof piece === 'string' ? { code: piece } : piece))
    const result = await conversations.run(
      session,
      signal,
      (conversation) => conversation.query({ query, task, codes, requestId }, signal),
      true,
    )
    if (result.usage !== null) noted.tokens = `${result.usage.promptTokens}/${result.usage.completionTokens}`
    return context.json({ ...result, warnings: [...result.warnings] }, 200)
  })
  app.openapi(routes.compactRoute, async (context) => {
    const { session, focus } = context.req.valid('json')
    const signal = context.get('signal')
    context.get('noted').session = session
    const result = await conversations.run(session, signal, (conversation) =>
      conversation.compact(focus, signal),
    )
    const { outcome, reason, tokensBefore, tokensAfter, warnings } = result
    return context.json({ session, outcome, reason, tokensBefore, tokensAfter, warnings: [...warnings] }, 200)
  })
  app.openapi(routes.stateRoute, async (context) => {
    const { session } = context.req.valid('query')
    const signal = context.get('signal')
    context.get('noted').session = session
    const state = await conversations.run(session, signal, async (conversation) =>
      sessionState(conversation, await decisionsOf(conversation.session.id)),
    )
    return context.json(state, 200)
  })
  app.openapi(routes.costsRoute, (context) => {
    const { session } = context.req.valid('query')
    if (session === undefined) return context.json(costReport(null, store.costs()), 200)
    context.get('noted').session = session
    const record = store.find(session)
    if (record === undefined)
      throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, { path: 'session' })
    return context.json(costReport(session, store.costs(record.no)), 200)
  })
  app.openapi(routes.healthRoute, (context) =>
    context.json({ status: 'ok' as const, ...facts, loaded: conversations.loaded }, 200),
  )
  if (token !== undefined)
    app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'palimpsest serve', version: facts.version },
    ...(token !== undefined && { security: [{ token: [] }] }),
  })
  return app
}

function answerFault(context: Context, { status, code, message, path, retryAfter }: ServiceFault): Response {
  if (retryAfter !== undefined) context.header('retry-after', String(retryAfter))
  const error = { code, message, ...(path !== undefined && { path }) }
  return context.json({ error }, status as ContentfulStatusCode)
}
