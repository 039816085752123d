import { ModelError, type ModelErrorKind } from '@palimpsest/core'
import { redactError, redactText } from './redact-error.ts'

/** How much of the provider's own sentence a message repeats, in characters. */
const DETAIL_LENGTH = 300

/** Why a call failed, as far as it is known. */
export interface ProviderFailure {
  readonly kind: ModelErrorKind
  /** What happened and what to do, without a full stop. */
  readonly advice: string
  /** What the provider or the runtime said. */
  readonly said: string
  /** What was thrown, if anything was. */
  readonly cause?: unknown
  /** When the provider said so: milliseconds to wait. */
  readonly retryAfterMs?: number | undefined
  /** When the provider said so: the window, in tokens. */
  readonly contextLength?: number | undefined
}

/**
 * A failure as a `ModelError`: what to do, followed by what was said. These secrets, and whatever looks like one, are
 * removed from both and from the cause.
 */
export function providerError(failure: ProviderFailure, secrets: readonly string[] = []): ModelError {
  const { kind, advice, said, cause, retryAfterMs, contextLength } = failure
  const detail = redactText(said, secrets).replace(/\s+/g, ' ').trim().slice(0, DETAIL_LENGTH)
  return new ModelError(kind, `${redactText(advice, secrets)}: ${detail || 'no details'}`, {
    ...(cause !== undefined && { cause: redactError(cause, secrets) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(contextLength !== undefined && { contextLength }),
  })
}
