import { createRoute, type z } from '@hono/zod-openapi'
import * as schemas from './schemas.ts'

const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })
const body = <Schema extends z.ZodType>(schema: Schema) => ({
  query: schemas.NoQuery,
  body: { required: true, content: json(schema) },
})
const fault = (description: string) => ({ description, content: json(schemas.ErrorResponse) })

const REFUSED = {
  401: fault('The token is missing or wrong.'),
  403: fault('The Host header names another machine: a page that was sent here by a rebound name.'),
  500: fault('The service failed.'),
  503: fault(
    'Busy, shutting down, another worker has the session, or the model or the store cannot be used; see Retry-After.',
  ),
  504: fault('Not done within the time limit. A query that ends so is not kept.'),
} as const

const INVALID = {
  400: fault('The body is no JSON, or no UTF-8.'),
  408: fault('The body did not arrive within the time limit.'),
  413: fault('The body is too large.'),
  415: fault('The body is not declared as application/json in UTF-8, or encoded.'),
  422: fault('A field is missing, wrong or unknown; `path` names it. Or the query does not fit the window.'),
  429: fault('Too many calls of this session wait already.'),
} as const

const UNKNOWN = { 404: fault('There is no such session.') } as const
const ok = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  200: { description, content: json(schema) },
})

export const initRoute = createRoute({
  method: 'post',
  path: '/init',
  operationId: 'init',
  summary: 'Begins a conversation anew',
  request: { ...body(schemas.InitRequest), body: { required: false, content: json(schemas.InitRequest) } },
  responses: { ...ok('The session is empty now.', schemas.InitResponse), ...INVALID, ...REFUSED },
})

export const queryRoute = createRoute({
  method: 'post',
  path: '/query',
  operationId: 'query',
  summary: 'Says something in a conversation, and answers',
  request: body(schemas.QueryRequest),
  responses: {
    ...ok('The answer. Its turn is stored.', schemas.QueryResponse),
    ...INVALID,
    409: fault('The requestId was used for another query.'),
    502: fault('The model refused or gave no answer. The turn is not kept.'),
    ...REFUSED,
  },
})

export const compactRoute = createRoute({
  method: 'post',
  path: '/compact',
  operationId: 'compact',
  summary: 'Compacts a conversation now',
  request: body(schemas.CompactRequest),
  responses: { ...ok('What became of it.', schemas.CompactResponse), ...INVALID, ...UNKNOWN, ...REFUSED },
})

export const stateRoute = createRoute({
  method: 'get',
  path: '/state',
  operationId: 'state',
  summary: 'What a conversation amounts to by now',
  request: { query: schemas.SessionQuery },
  responses: {
    ...ok('Decisions, summary, turns.', schemas.StateResponse),
    ...UNKNOWN,
    422: INVALID[422],
    429: INVALID[429],
    ...REFUSED,
  },
})

export const costsRoute = createRoute({
  method: 'get',
  path: '/costs',
  operationId: 'costs',
  summary: 'Tokens and money by purpose, of one session or of all',
  request: { query: schemas.CostsQuery },
  responses: { ...ok('Counts and sums.', schemas.CostsResponse), ...UNKNOWN, 422: INVALID[422], ...REFUSED },
})

export const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'health',
  security: [],
  summary: 'Whether the service can answer; needs no token',
  responses: {
    ...ok('It can.', schemas.HealthResponse),
    403: REFUSED[403],
    500: REFUSED[500],
    503: { description: 'The store cannot be used.', content: json(schemas.HealthResponse) },
  },
})
