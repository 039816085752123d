import { ModelError, type ModelErrorKind, redactSecrets } from '@palimpsest/core'
import { limitOfFetch } from './connection-failure.ts'

const DETAIL_LENGTH = 300

/** The known facts of a failed call. */
export interface ProviderFailure {
  readonly kind: ModelErrorKind
  /** The failure and the remedy, without a full stop. */
  readonly advice: string
  /** The message of the provider or the runtime. */
  readonly said: string
  readonly cause?: unknown
  /** Milliseconds to wait, if the provider said so. */
  readonly retryAfterMs?: number | undefined
  /** The window in tokens, if the provider said so. */
  readonly contextLength?: number | undefined
}

/**
 * Makes a `ModelError` with the remedy, a limit of `fetch` that ended the call, and the provider's message. These
 * secrets, and anything that looks like one, are removed from the message and the cause.
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

/** Shorter texts are not secrets, and replacing them would garble the message. In characters. */
const SHORTEST_SECRET = 4

const MAX_CAUSES = 5

function redactText(text: string, secrets: readonly string[]): string {
  let redacted = text
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET) redacted = redacted.replaceAll(secret, '[REDACTED:key]')
  return redactSecrets(redacted)
}

/**
 * Copies an error without secrets. The original may carry them in unknown members, such as the request. Deeper causes
 * are left out.
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
 * The kind of failure that an HTTP status alone means. A prompt that is too long is detected by its message: see
 * `contextOverflow`.
 */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth'
  // 402: no credit left. 413, unless about the window, is a rate limit at Groq.
  if (status === 402 || status === 413 || status === 429) return 'quota'
  // 408 and 504: a time limit of the server or of a gateway.
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'overloaded'
  return status >= 400 ? 'invalid-request' : 'unknown'
}
