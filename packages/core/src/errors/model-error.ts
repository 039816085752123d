import { markErrors, PalimpsestError } from './palimpsest-error.ts'

/**
 * The failure of a model call:
 * - `auth`: the key is missing, wrong or not allowed; trying again does not help.
 * - `quota`: a rate or spending limit; later.
 * - `overloaded`: the provider is busy; later.
 * - `network`: the provider was not reached, or the connection broke.
 * - `timeout`: no answer in time.
 * - `context-overflow`: the prompt is longer than the model's window.
 * - `truncated`: the answer hit the output limit.
 * - `empty`: the answer has no text and no tool call.
 * - `blocked`: the provider refused for reasons of content.
 * - `invalid-request`: the provider did not understand the request.
 * - `unknown`: anything else.
 */
export type ModelErrorKind =
  | 'auth'
  | 'quota'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'context-overflow'
  | 'truncated'
  | 'empty'
  | 'blocked'
  | 'invalid-request'
  | 'unknown'

/** A model call failed. Its code is `MODEL_` and the kind in capitals, such as `MODEL_CONTEXT_OVERFLOW`. */
export class ModelError extends PalimpsestError {
  static override readonly isInstance = markErrors<ModelError>(ModelError, 'core.model')

  readonly kind: ModelErrorKind
  /** When the provider said so: milliseconds to wait before the next try. */
  readonly retryAfterMs?: number
  /** When the provider said so: the real window of the model, in tokens. */
  readonly contextLength?: number

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number; contextLength?: number } = {},
  ) {
    super(`MODEL_${kind.toUpperCase().replaceAll('-', '_')}`, message, options)
    this.kind = kind
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs
    if (options.contextLength !== undefined) this.contextLength = options.contextLength
  }
}
