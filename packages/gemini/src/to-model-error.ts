import { ModelError, type ModelErrorKind } from '@palimpsest/core'
import { connectionFailure, kindOfStatus, providerError } from '@palimpsest/provider-utils'
import { type ApiFailure, readApiFailure } from './api-failure.ts'
import type { GeminiSettings } from './resolve-options.ts'

/** The remedy, by kind. */
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
  const kind = failure === undefined ? (connectionFailure(error)?.kind ?? 'unknown') : kindOf(failure)
  const said = failure?.message ?? (error instanceof Error ? error.message : String(error))
  return providerError(
    {
      kind,
      advice: advice[kind] ?? 'the call to Gemini failed',
      said,
      cause: error,
      retryAfterMs: failure?.retryAfterMs,
      contextLength: kind === 'context-overflow' ? windowIn(said) : undefined,
    },
    client.secrets,
  )
}

function kindOf({ status, name, message, reasons }: ApiFailure): ModelErrorKind {
  if (name === 'RESOURCE_EXHAUSTED') return 'quota'
  // Too many bytes, which ends by sending less, as too many tokens do.
  if (status === 413) return 'context-overflow'
  const kind = kindOfStatus(status)
  if (kind !== 'invalid-request') return kind
  // A wrong key is a 400 here; so is a country or a project without billing.
  if (reasons.some((reason) => reason.startsWith('API_KEY'))) return 'auth'
  if (/api[ _]key (?:not valid|expired)/i.test(message) || name === 'FAILED_PRECONDITION') return 'auth'
  return /token count.{0,200}exceeds|input token.{0,200}up to|payload size exceeds/is.test(message)
    ? 'context-overflow'
    : kind
}

/**
 * The window in a message such as "The input token count (1300000) exceeds the maximum number of tokens allowed
 * (1048576)." The first number is sometimes missing, and the second stands without its parentheses.
 */
function windowIn(message: string): number | undefined {
  const digits = /(?:tokens allowed|up to)\s*\(?(\d+)/i.exec(message)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
