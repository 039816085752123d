import { OpenAPIHono, type z } from '@hono/zod-openapi'
import { errorText } from '@palimpsest/core'
import type { Gateway } from '@palimpsest/gateway'
import type { Inspector } from '@palimpsest/inspector'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Conversation } from '../conversation.ts'
import type { Conversations } from '../create-conversations.ts'
import type { Metrics } from '../create-metrics.ts'
import type { DecisionsView } from '../decisions-view.ts'
import { PURPOSES, priceList, priceOf, sumTokens } from '../models/price-of.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'
import type { ServiceEngine } from '../service-engine.ts'
import type { CostRecord, ServiceStore } from '../service-store.ts'
import type { StoreState } from '../watch-store.ts'
import {
  bearerToken,
  type CallContext,
  emptyIsObject,
  jsonBody,
  loopbackHostOnly,
  ownPagesOnly,
} from './guards.ts'
import * as routes from './routes.ts'
import type { CostsResponse, StateResponse } from './schemas.ts'
import { fieldFault, ServiceFault, toServiceFault } from './service-fault.ts'
import type { CallWatch } from './watch-calls.ts'

interface AppInput {
  readonly inspector: Pick<Inspector, 'fetch'>
  readonly conversations: Conversations
  readonly store: ServiceStore
  readonly watch: CallWatch
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly engine: Pick<ServiceEngine, 'decisionsOf'>
  readonly storeState: () => Promise<StoreState>
  readonly facts: {
    readonly version: string
    readonly engine: string
    readonly offline: boolean
    readonly durable: boolean
  }
  readonly gateway: Pick<Gateway, 'fetch' | 'loaded'> | undefined
  /** Callers have to send it; without one, calls must address this machine's local names. */
  readonly token: string | undefined
  readonly bodyLimit: number
  readonly log: (line: string) => void
}

export function createApp(input: AppInput): OpenAPIHono<CallContext> {
  const { inspector, facts, gateway, metrics, token, bodyLimit, log, watch } = input
  const app = new OpenAPIHono<CallContext>({
    defaultHook(result) {
      if (result.success) return
      throw fieldFault(result.error.issues, result.target)
    },
  })
  const noteFailure = ({ status, code, cause }: ServiceFault, session: string | undefined): void => {
    if (status !== 500 && code !== 'store') return
    const of = session === undefined ? '' : ` session=${session}`
    log(`error: ${errorText(cause)}${of}`)
  }
  app.onError((error, context) => {
    const { session } = context.get('noted') ?? {}
    const fault = toServiceFault(error, session)
    noteFailure(fault, session)
    return answerFault(context, fault)
  })
  app.notFound((context) => {
    const methods = methodsOf(context.req.path)
    if (methods.length === 0) return answerFault(context, unknownRoute(context.req.path))
    const allowed = methods.join(', ')
    context.header('allow', allowed)
    const message = `${context.req.path} takes ${allowed} only; GET /openapi.json says more`
    return answerFault(context, new ServiceFault(405, 'wrong-method', message))
  })

  app.use(watch.handler)
  // With a token, other origins get nothing, and a proxy may forward its public name.
  if (token === undefined) app.use(loopbackHostOnly(), ownPagesOnly())
  else app.use(bearerToken(token, ['/health', '/']))
  for (const path of ['/', '/api/*']) app.get(path, (context) => inspector.fetch(context.req.raw))
  app.get('/metrics', async (context) =>
    context.body(await metrics.text(), 200, { 'content-type': metrics.contentType }),
  )
  if (gateway !== undefined) app.all('/v1/*', (context) => gateway.fetch(context.req.raw))
  app.use(routes.initRoute.path, emptyIsObject())
  app.use(jsonBody(bodyLimit))

  addSessionRoutes(app, input)
  addReportRoutes(app, input)
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'palimpsest serve', version: facts.version },
    servers: [{ url: '/' }],
    // Without its own token, the service accepts any token or none.
    security: token === undefined ? [{}, { token: [] }] : [{ token: [] }],
  })
  return app
}

type App = OpenAPIHono<CallContext>

function addSessionRoutes(app: App, { conversations, engine }: AppInput): void {
  app.openapi(routes.initRoute, async (context) => {
    const { session, repoName } = context.req.valid('json')
    context.get('noted').session = session
    const record = await conversations.begin(session, repoName, context.get('signal'))
    const { key } = record
    return context.json({ ok: true as const, session, key, repoName: repoName ?? null }, 200)
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
      (conversation, locked) => conversation.query({ query, task, codes, requestId }, locked),
      true,
    )
    if (result.usage !== null) noted.tokens = `${result.usage.promptTokens}/${result.usage.completionTokens}`
    return context.json(result, 200)
  })
  app.openapi(routes.compactRoute, async (context) => {
    const { session, focus } = context.req.valid('json')
    const signal = context.get('signal')
    context.get('noted').session = session
    const result = await conversations.run(session, signal, (conversation, locked) =>
      conversation.compact(focus, locked),
    )
    const { outcome, reason, tokensBefore, tokensAfter, warnings } = result
    return context.json({ session, outcome, reason, tokensBefore, tokensAfter, warnings: [...warnings] }, 200)
  })
  app.openapi(routes.stateRoute, async (context) => {
    const { session } = context.req.valid('query')
    const signal = context.get('signal')
    context.get('noted').session = session
    const state = await conversations.run(
      session,
      signal,
      async (conversation) => sessionState(conversation, await engine.decisionsOf(conversation.session.id)),
      session === SERVE_DEFAULTS.session,
    )
    return context.json(state, 200)
  })
}

function addReportRoutes(app: App, { store, conversations, storeState, facts, gateway }: AppInput): void {
  app.openapi(routes.costsRoute, async (context) => {
    const { session } = context.req.valid('query')
    if (session === undefined) return context.json(costReport(null, await store.costs()), 200)
    context.get('noted').session = session
    const record = await store.find(session)
    if (record === undefined)
      throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, { path: 'session' })
    return context.json(costReport(session, await store.costs(record)), 200)
  })
  app.openapi(routes.healthRoute, async (context) => {
    const state = await storeState()
    const loaded = conversations.loaded + (gateway?.loaded ?? 0)
    const health = { ...facts, store: state, gateway: gateway !== undefined, loaded }
    if (state.ok) return context.json({ status: 'ok' as const, ...health }, 200)
    const reason = `the store cannot be used (${state.code})`
    return context.json({ status: 'degraded' as const, reason, ...health }, 503)
  })
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ...Object.values(routes).map(({ path, method }) => [path, method.toUpperCase()] as const),
  ['/openapi.json', 'GET'],
])

function methodsOf(path: string): readonly string[] {
  const method = METHODS.get(path)
  if (method === undefined) return []
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function unknownRoute(path: string): ServiceFault {
  const message = path.startsWith('/v1/')
    ? 'there is no gateway here: start the service with --upstream <url>'
    : 'there is no such route; GET /openapi.json lists them'
  return new ServiceFault(404, 'unknown-route', message)
}

function answerFault(context: Context, { status, code, message, path, retryAfter }: ServiceFault): Response {
  if (retryAfter !== undefined) context.header('retry-after', String(retryAfter))
  const error = { code, message, ...(path !== undefined && { path }) }
  return context.json({ error }, status as ContentfulStatusCode)
}

function sessionState(
  { record, session, repoName, turns, shown }: Conversation,
  decided: DecisionsView | null,
): z.input<typeof StateResponse> {
  const { name, details } = session.engine.status()
  return {
    session: record.session,
    key: record.key,
    repoName: repoName ?? null,
    turn: turns,
    compactions: session.engine.compressionCount,
    engine: { name, ...(details !== undefined && { details: { ...details } }) },
    decisions: decided?.decisions ?? null,
    summary: shown?.summary ?? null,
    breakdown: shown?.breakdown ?? null,
  }
}

type Priced = Omit<CostRecord, 'purpose' | 'model'> & { readonly usd: number | null }

function costReport(session: string | null, records: readonly CostRecord[]): z.input<typeof CostsResponse> {
  const models = records.map((record) => ({ ...record, usd: priceOf(record.model, record) }))
  const purposes = PURPOSES.map(
    (purpose) => [purpose, total(models.filter((model) => model.purpose === purpose))] as const,
  )
  return {
    session,
    purposes: Object.fromEntries(purposes) as Record<(typeof PURPOSES)[number], Priced>,
    models,
    total: total(models),
    prices: priceList(),
  }
}

function total(parts: readonly Priced[]): Priced {
  const sum = (count: 'calls' | 'reasoningTokens') => parts.reduce((all, part) => all + part[count], 0)
  return {
    ...sumTokens(parts),
    calls: sum('calls'),
    reasoningTokens: sum('reasoningTokens'),
    usd: parts.reduce<number | null>((all, { usd }) => (all === null || usd === null ? null : all + usd), 0),
  }
}
