import { ModelError, type ModelErrorKind, redactSecrets } from '@palimpsest/core'
import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError } from 'ai'
import { connectionFailure } from './connection-failure.ts'
import { providerOverflow } from './provider-overflow.ts'

/** How much of the provider's own sentence a message repeats, in characters. */
const DETAIL_LENGTH = 300
/** Milliseconds of a second. */
const SECOND_MS = 1_000

/** What to do, by kind. */
const ADVICE: Readonly<Partial<Record<ModelErrorKind, string>>> = {
  auth: 'the provider refused the key or the account; check both',
  quota: 'a rate or spending limit of the provider is reached; wait or raise the limit',
  overloaded: 'the provider is overloaded or failed; try again later',
  network: 'the provider was not reached or the connection broke; check the network and try again',
  timeout: 'the model did not answer in time; try again, send less or raise timeoutMs',
  'context-overflow': "the prompt does not fit into the model's window; send less",
  'invalid-request': 'the provider did not accept the request; check the model and what is sent',
  empty: 'the model gave no answer; try again',
}

/**
 * Any failure of a call as a `ModelError` with a sentence that says what to do, followed by what the provider said.
 * Secrets are removed from it; the cause is a copy without the request, which may hold them.
 */
export function toModelError(error: unknown): ModelError {
  const last = RetryError.isInstance(error) ? error.lastError : error
  if (ModelError.isInstance(last)) return last
  const overflow = providerOverflow(last)
  const kind = overflow === undefined ? kindOf(last) : 'context-overflow'
  const said = last instanceof Error ? last.message : String(last)
  const detail = redactSecrets(said).replace(/\s+/g, ' ').trim().slice(0, DETAIL_LENGTH)
  const retryAfterMs = retryAfter(last)
  return new ModelError(kind, `${ADVICE[kind] ?? 'the call failed'}: ${detail || 'no details'}`, {
    cause: redactedCause(last),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(overflow?.limit !== undefined && { contextLength: overflow.limit }),
  })
}

function kindOf(error: unknown): ModelErrorKind {
  if (LoadAPIKeyError.isInstance(error)) return 'auth'
  if (NoSuchModelError.isInstance(error)) return 'invalid-request'
  const { name } = named(error)
  if (name === 'GatewayAuthenticationError') return 'auth'
  if (name === 'AI_NoOutputGeneratedError' || name === 'AI_EmptyResponseBodyError') return 'empty'
  const status = statusOf(error)
  return status === undefined ? (connectionFailure(error) ?? 'unknown') : kindOfStatus(status)
}

function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth'
  // 413 without a prompt that is too long: more tokens than a minute allows.
  if (status === 402 || status === 413 || status === 429) return 'quota'
  // 408 and 504: the deadline of the service or of a gateway before it.
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'overloaded'
  return status >= 400 ? 'invalid-request' : 'unknown'
}

/** The HTTP status of an `APICallError`, or of an error of Vercel's gateway, which has its own classes. */
function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode
  const { statusCode } = named(error)
  return typeof statusCode === 'number' ? statusCode : undefined
}

function retryAfter(error: unknown): number | undefined {
  if (!APICallError.isInstance(error)) return undefined
  const { 'retry-after-ms': ms, 'retry-after': seconds } = error.responseHeaders ?? {}
  const delay = ms === undefined ? Number(seconds) * SECOND_MS : Number(ms)
  return Number.isFinite(delay) && delay >= 0 ? Math.ceil(delay) : undefined
}

function redactedCause(error: unknown): Error {
  const { name, message, stack } = named(error)
  const copy = new Error(redactSecrets(typeof message === 'string' ? message : String(error)))
  if (typeof name === 'string') copy.name = name
  if (typeof stack === 'string') copy.stack = redactSecrets(stack)
  return copy
}

function named(error: unknown): Readonly<Record<'name' | 'message' | 'stack' | 'statusCode', unknown>> {
  const { name, message, stack, statusCode } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Record<string, unknown>
  return { name, message, stack, statusCode }
}
