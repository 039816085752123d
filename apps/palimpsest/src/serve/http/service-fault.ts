import type { z } from '@hono/zod-openapi'
import { ContextOverflowError, ModelError, type ModelErrorKind, PalimpsestError } from '@palimpsest/core'
import { LOCK_TAKEN } from '@palimpsest/gateway'
import { HTTPException } from 'hono/http-exception'

type FaultStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504

interface FaultDetails {
  readonly path?: string
  readonly retryAfter?: number
  readonly cause?: unknown
}

export class ServiceFault extends Error {
  readonly status: FaultStatus
  readonly code: string
  readonly path?: string
  readonly retryAfter?: number

  constructor(
    status: FaultStatus,
    code: string,
    message: string,
    { path, retryAfter, cause }: FaultDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    if (path !== undefined) this.path = path
    if (retryAfter !== undefined) this.retryAfter = retryAfter
  }
}

/** 503 for temporary failures of a model, 502 for others. */
const MODEL_STATUS: Readonly<Partial<Record<ModelErrorKind, FaultStatus>>> = {
  quota: 503,
  overloaded: 503,
  network: 503,
  timeout: 504,
}

export function toServiceFault(error: unknown, session?: string): ServiceFault {
  if (error instanceof ServiceFault) return error
  if (error instanceof HTTPException) return fromFramework(error)
  if (ModelError.isInstance(error)) {
    const status = MODEL_STATUS[error.kind] ?? 502
    const retryAfter = error.retryAfterMs === undefined ? 1 : Math.ceil(error.retryAfterMs / 1000)
    return new ServiceFault(status, `model-${error.kind}`, `the turn was not kept: ${error.message}`, {
      cause: error,
      ...(status === 503 && { retryAfter }),
    })
  }
  if (isOverflow(error))
    return new ServiceFault(422, 'context-overflow', `the turn was not kept: ${error.message}`, {
      cause: error,
    })
  const code = PalimpsestError.isInstance(error) ? error.code : ''
  if (TAKEN_OVER.includes(code))
    return new ServiceFault(
      503,
      'session-taken',
      'another worker may have gone on with the session, and the turn was not kept; try again',
      { cause: error, retryAfter: 1 },
    )
  if (STORE_CODE.test(code)) return storeFault(error, code, session)
  return new ServiceFault(500, 'internal', 'the service failed; its log says more', { cause: error })
}

const TAKEN_OVER: readonly string[] = ['LOCK_LOST', LOCK_TAKEN, 'STORE_CONFLICT']

const STORE_RETRY: Readonly<Record<string, number>> = {
  STORE_BUSY: 1,
  STORE_CORRUPT: 300,
}

/** The store's own message names hosts and folders, which callers must not see. */
function storeFault(error: unknown, code: string, session: string | undefined): ServiceFault {
  const use = session === undefined ? 'cannot be used' : `cannot be used for the session "${session}"`
  const message = `the store ${use} (${code}), the log of the service says more; send a query again with its requestId`
  return new ServiceFault(503, 'store', message, { cause: error, retryAfter: STORE_RETRY[code] ?? 10 })
}

const STORE_CODE = /^(?:STORE_|NOT_A_STORE$)/

function fromFramework({ status, message, cause }: HTTPException): ServiceFault {
  if (status !== 400)
    return new ServiceFault(500, 'internal', 'the service failed; its log says more', { cause })
  return new ServiceFault(400, 'invalid-json', `the body must be JSON: ${message}`, { path: 'body' })
}

function isOverflow(error: unknown): error is ContextOverflowError {
  return PalimpsestError.isInstance(error) && error instanceof ContextOverflowError
}

type Issue = z.core.$ZodIssue

const MAX_PATH = 100
const MAX_MESSAGE = 300

export function fieldFault(issues: readonly Issue[], target: string): ServiceFault {
  const [first] = issues
  const issue = first === undefined ? undefined : deepest(first)
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...(issue?.path ?? []), ...keys].map(String).join('.')
  const whole = target === 'json' ? 'body' : target
  const where = path === '' ? whole : path.slice(0, MAX_PATH).toWellFormed()
  return new ServiceFault(422, 'invalid-field', `${where}: ${plainMessage(issue?.message)}`, { path: where })
}

function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.map(([first]) => first).find((other) => isInside(other))
  return inner === undefined ? issue : deepest({ ...inner, path: [...issue.path, ...inner.path] })
}

function isInside(issue: Issue | undefined): issue is Issue {
  return issue !== undefined && (issue.path.length > 0 || issue.code === 'unrecognized_keys')
}

function plainMessage(message = 'is wrong'): string {
  return message
    .replace(/^Invalid (?:input|option): /, '')
    .slice(0, MAX_MESSAGE)
    .toWellFormed()
}
