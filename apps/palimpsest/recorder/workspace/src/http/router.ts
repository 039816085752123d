import { LedgerError } from '../errors.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

export interface Response {
  readonly status: number
  readonly body: unknown
}

export type Handler = (request: Request, params: Readonly<Record<string, string>>) => Response

export interface Route {
  readonly method: string
  /** `/v1/entries/:id`: a part with a colon is a parameter. */
  readonly path: string
  readonly handler: Handler
}

const statusOf: Readonly<Record<string, number>> = { 'not-found': 404, 'already-reversed': 409, 'bad-config': 500 }

export function route(routes: readonly Route[], request: Request): Response {
  for (const candidate of routes) {
    if (candidate.method !== request.method) continue
    const params = match(candidate.path, request.path)
    if (params === undefined) continue
    try {
      return candidate.handler(request, params)
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      return { status: statusOf[error.code] ?? 400, body: { error: error.code, message: error.message } }
    }
  }
  return { status: 404, body: { error: 'not-found', message: `no route ${request.method} ${request.path}` } }
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return params
}
