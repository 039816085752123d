import { contextOverflow, looseOf, ModelError, type ModelErrorKind, type Overflow } from '@palimpsest/core'
import { connectionFailure, kindOfStatus, providerError, retryAfterMs } from '@palimpsest/provider-utils'
import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError } from 'ai'

const ADVICE: Readonly<Partial<Record<ModelErrorKind, string>>> = {
  auth: 'the provider refused the key or the account; check both',
  quota: 'a rate or spending limit of the provider is reached; wait or raise the limit',
  overloaded: 'the provider is overloaded or failed; try again later',
  network: 'the provider was not reached or the connection broke; check the network and try again',
  timeout: 'the model did not answer in time; try again or send less',
  'context-overflow': "the prompt does not fit into the model's window; send less",
  'invalid-request': 'the provider did not accept the request; check the model and what is sent',
  empty: 'the model gave no answer; try again',
}

/**
 * Makes a `ModelError` that says what to do, followed by the provider's message. Secrets are removed; the cause is a
 * copy without the request, which may contain them.
 */
export function toModelError(error: unknown): ModelError {
  const last = RetryError.isInstance(error) ? error.lastError : error
  if (ModelError.isInstance(last)) return last
  const overflow = providerOverflow(last)
  const kind = overflow === undefined ? kindOf(last) : 'context-overflow'
  const said = last instanceof Error ? last.message : String(last)
  const headers = APICallError.isInstance(last) ? last.responseHeaders : undefined
  return providerError({
    kind,
    advice: ADVICE[kind] ?? 'the call failed',
    said,
    cause: last,
    retryAfterMs: retryAfterMs({ headers, message: said }),
    contextLength: overflow?.limit,
  })
}

function kindOf(error: unknown): ModelErrorKind {
  if (LoadAPIKeyError.isInstance(error)) return 'auth'
  if (NoSuchModelError.isInstance(error)) return 'invalid-request'
  const { name } = looseOf(error)
  if (name === 'GatewayAuthenticationError') return 'auth'
  if (name === 'AI_NoOutputGeneratedError' || name === 'AI_EmptyResponseBodyError') return 'empty'
  const status = statusOf(error)
  return status === undefined ? (connectionFailure(error)?.kind ?? 'unknown') : kindOfStatus(status)
}

function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error)) return error.statusCode
  const { statusCode } = looseOf(error)
  return typeof statusCode === 'number' ? statusCode : undefined
}

/**
 * Recognises a context-length error, even if only the body of the response shows it. Undefined for every other error.
 */
export function providerOverflow(error: unknown): Overflow | undefined {
  if (!APICallError.isInstance(error)) return contextOverflow(error)
  const { message, statusCode, responseBody, data, cause } = error
  return contextOverflow({
    message,
    status: statusCode,
    cause,
    error: { message: responseBody, error: data },
  })
}
