import { ModelError, type ModelErrorKind } from '@palimpsest/core'
import { type ApiFailure, readApiFailure } from './api-failure.ts'
import { connectionFailure } from './connection-failure.ts'
import { redact, redactError } from './redact.ts'
import type { GeminiSettings } from './resolve-options.ts'

/** How much of the service's own sentence a message repeats, in characters. */
const detailLength = 300

/** What to do, by kind. */
const advice: Readonly<Partial<Record<ModelErrorKind, string>>> = {
  auth: 'Gemini refused the key or the account; check the key (GEMINI_API_KEY in most applications) and its project',
  quota: 'a rate or spending limit of Gemini is reached; wait or raise the limit',
  overloaded: 'Gemini is overloaded or failed; try again later',
  network: 'Gemini was not reached or the connection broke; check the network and try again',
  timeout: 'Gemini did not answer in time; try again or send less',
  'context-overflow': "the prompt does not fit into the model's window; send less",
  'invalid-request': 'Gemini did not accept the request; check the model name and what is sent',
}

/**
 * Any failure of a call as a `ModelError` with a sentence that says what to do, followed by what the service said.
 * Keys are removed from both and from the cause.
 */
export function toModelError(error: unknown, { client }: Pick<GeminiSettings, 'client'>): ModelError {
  if (ModelError.isInstance(error)) return error
  const failure = readApiFailure(error)
  const kind = failure === undefined ? (connectionFailure(error) ?? 'unknown') : kindOf(failure)
  const said = failure?.message ?? (error instanceof Error ? error.message : String(error))
  const detail = redact(said, client.secrets).replace(/\s+/g, ' ').trim().slice(0, detailLength)
  const contextLength = kind === 'context-overflow' ? windowIn(said) : undefined
  return new ModelError(kind, `${advice[kind] ?? 'the call to Gemini failed'}: ${detail || 'no details'}`, {
    cause: redactError(error, client.secrets),
    ...(failure?.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
    ...(contextLength === undefined ? {} : { contextLength }),
  })
}

function kindOf({ status, name, message, reasons }: ApiFailure): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth'
  if (status === 429 || name === 'RESOURCE_EXHAUSTED') return 'quota'
  // 408 and 504: the deadline of the service or of a gateway before it.
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'overloaded'
  // A wrong key is a 400 here; so is a country or a project without billing.
  if (
    reasons.some((reason) => reason.startsWith('API_KEY')) ||
    /api[ _]key (?:not valid|expired)/i.test(message)
  )
    return 'auth'
  if (name === 'FAILED_PRECONDITION') return 'auth'
  // Too many tokens, or too many bytes: both end by sending less.
  if (status === 413 || /token count.*exceeds|input token.*up to|payload size exceeds/is.test(message))
    return 'context-overflow'
  return status >= 400 ? 'invalid-request' : 'unknown'
}

/**
 * The window in a message such as "The input token count (1300000) exceeds the maximum number of tokens allowed
 * (1048576)." The first number is sometimes missing, and the second stands without its parentheses.
 */
function windowIn(message: string): number | undefined {
  const digits = /(?:tokens allowed|up to)\s*\(?(\d+)/i.exec(message)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
