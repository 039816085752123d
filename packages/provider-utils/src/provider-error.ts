import { ModelError, type ModelErrorKind, redactSecrets } from '@palimpsest/core'
import { limitOfFetch } from './connection-failure.ts'

/** The most that a message repeats of the provider's own sentence, in characters. */
const DETAIL_LENGTH = 300

/** Why a call failed, as far as it is known. */
export interface ProviderFailure {
  readonly kind: ModelErrorKind
  /** The failure and the remedy, without a full stop. */
  readonly advice: string
  /** The message of the provider or the runtime. */
  readonly said: string
  /** The thrown value, if there is one. */
  readonly cause?: unknown
  /** When the provider said so: milliseconds to wait. */
  readonly retryAfterMs?: number | undefined
  /** When the provider said so: the window, in tokens. */
  readonly contextLength?: number | undefined
}

/**
 * A failure as a `ModelError`: what to do, followed by what was said, and between them the limit of `fetch` if it was one of
 * those that ended the call. These secrets, and whatever looks like one, are removed from both and from the cause.
 */
export function providerError(failure: ProviderFailure, secrets: readonly string[] = []): ModelError {
  const { kind, advice, said, cause, retryAfterMs, contextLength } = failure
  const detail = redactText(said, secrets).replace(/\s+/g, ' ').trim().slice(0, DETAIL_LENGTH)
  const limit = limitOfFetch(cause)
  const text = `${redactText(advice, secrets)}${limit === undefined ? '' : ` (${limit})`}`
  return new ModelError(kind, `${text}: ${detail || 'no details'}`, {
    ...(cause !== undefined && { cause: redactError(cause, secrets) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(contextLength !== undefined && { contextLength }),
  })
}

/** Shorter secrets are not secrets, and replacing them would garble the text. In characters. */
const SHORTEST_SECRET = 4

/** The number of causes that a copy keeps. */
const MAX_CAUSES = 5

/** The text without these secrets and without anything that looks like one. */
function redactText(text: string, secrets: readonly string[]): string {
  let redacted = text
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET) redacted = redacted.replaceAll(secret, '[REDACTED:key]')
  return redactSecrets(redacted)
}

/**
 * A copy of an error without secrets, to be the cause of another. A copy, because the original may carry them in
 * members that are not known, such as the request. Causes deeper than five levels are left out.
 */
function redactError(error: unknown, secrets: readonly string[], depth = MAX_CAUSES): unknown {
  if (!(error instanceof Error)) return redactText(String(error), secrets)
  const { code } = error as { readonly code?: unknown }
  const options =
    error.cause === undefined || depth <= 1 ? {} : { cause: redactError(error.cause, secrets, depth - 1) }
  const copy = new Error(redactText(error.message, secrets), options)
  copy.name = error.name
  if (error.stack !== undefined) copy.stack = redactText(error.stack, secrets)
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy
}

/**
 * The meaning of an HTTP status when the response says no more. A prompt that is too long is a matter of its
 * text: see `contextOverflow`.
 */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth'
  // 402: no credit left. 413 that is not about the window is about a rate, at Groq.
  if (status === 402 || status === 413 || status === 429) return 'quota'
  // 408 and 504: the deadline of the server or of a gateway before it.
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'overloaded'
  return status >= 400 ? 'invalid-request' : 'unknown'
}
