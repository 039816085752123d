/** The base class of Palimpsest's errors. `code` is stable; `message` says what happened and what to do. */
export class PalimpsestError extends Error {
  /** True for an instance of this class or a subclass, from any installed copy of its package. */
  static readonly isInstance = markErrors<PalimpsestError>(PalimpsestError, 'core.error')

  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/**
 * Brands a class of errors and returns a type test. Unlike `instanceof`, the test also recognises errors of
 * another installed copy. A subclass without its own brand inherits its parent's test.
 *
 * @param name The package and the error, such as `core.model`; unique.
 *
 * @example
 * class QuotaError extends PalimpsestError {
 * static override readonly isInstance = markErrors<QuotaError>(QuotaError, 'my-engine.quota')
 * }
 */
export function markErrors<E extends Error>(
  type: { readonly prototype: E },
  name: string,
): (value: unknown) => value is E {
  const mark = Symbol.for(`palimpsest.error.${name}`)
  // A bundler renames a class that refers to itself, and stacks would show that name.
  const own = Object.getOwnPropertyDescriptor(type, 'name')?.value
  if (typeof own === 'string' && own.startsWith('_'))
    Object.defineProperty(type, 'name', { value: own.slice(1), configurable: true })
  Object.defineProperty(type.prototype, mark, { value: true })
  return (value): value is E => typeof value === 'object' && value !== null && mark in value
}

/** A value is not an engine, or implements another version of the contract. Code `INVALID_ENGINE`. */
export class InvalidEngineError extends PalimpsestError {
  static override readonly isInstance = markErrors<InvalidEngineError>(
    InvalidEngineError,
    'core.invalid-engine',
  )

  constructor(message: string, options?: { cause?: unknown }) {
    super('INVALID_ENGINE', message, options)
  }
}

/** A list of messages breaks an invariant and cannot be repaired. Code `INVALID_MESSAGES`. */
export class InvalidMessagesError extends PalimpsestError {
  static override readonly isInstance = markErrors<InvalidMessagesError>(
    InvalidMessagesError,
    'core.invalid-messages',
  )

  constructor(message: string, options?: { cause?: unknown }) {
    super('INVALID_MESSAGES', message, options)
  }
}

/** An option or a configuration key is unknown or out of range. Code `INVALID_OPTION`. */
export class InvalidOptionError extends PalimpsestError {
  static override readonly isInstance = markErrors<InvalidOptionError>(
    InvalidOptionError,
    'core.invalid-option',
  )

  /** The option's path, such as `compression.threshold`. */
  readonly path: string

  constructor(path: string, message: string, options?: { cause?: unknown }) {
    super('INVALID_OPTION', message, options)
    this.path = path
  }
}

export interface PromptPart {
  readonly kind: 'message' | 'tools'
  readonly tokens: number
  readonly index?: number
  readonly role?: string
  readonly isLastUser?: boolean
  readonly toolName?: string
  readonly toolCallId?: string
}

/** The prompt does not fit even after a harder compaction. Code `CONTEXT_OVERFLOW`. */
export class ContextOverflowError extends PalimpsestError {
  static override readonly isInstance = markErrors<ContextOverflowError>(
    ContextOverflowError,
    'core.context-overflow',
  )

  /** The size of the prompt, in tokens. */
  readonly tokens: number
  /** The room for it, in tokens. */
  readonly limit: number
  /** The largest part after cutting. Absent if there was no prompt yet. */
  readonly largest?: PromptPart

  constructor(
    tokens: number,
    limit: number,
    message: string,
    { largest, ...options }: { readonly cause?: unknown; readonly largest?: PromptPart } = {},
  ) {
    super('CONTEXT_OVERFLOW', message, options)
    this.tokens = tokens
    this.limit = limit
    if (largest !== undefined) this.largest = largest
  }
}

/**
 * The kinds of failed model calls:
 * - `auth`: the key is missing, wrong or not permitted; a retry does not help.
 * - `quota`: a rate or spending limit; retry later.
 * - `overloaded`: the provider is busy; retry later.
 * - `network`: the provider could not be reached, or the connection broke.
 * - `timeout`: no answer in time.
 * - `context-overflow`: the prompt is longer than the model's window.
 * - `truncated`: the answer reached the output limit.
 * - `empty`: the answer has neither text nor tool calls.
 * - `blocked`: the provider's content policy refused the request.
 * - `invalid-request`: the provider rejected the request as malformed.
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

/** A model call failed. The code is `MODEL_` and the kind in capitals, such as `MODEL_CONTEXT_OVERFLOW`. */
export class ModelError extends PalimpsestError {
  static override readonly isInstance = markErrors<ModelError>(ModelError, 'core.model')

  readonly kind: ModelErrorKind
  /** Milliseconds to wait before the next attempt, if the provider said so. */
  readonly retryAfterMs?: number
  /** The model's real window, in tokens, if the provider said so. */
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

/** The message of any thrown value. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  if (error === null || error === undefined) return `${error} was thrown`
  try {
    return String(error)
  } catch {
    return 'something that cannot be shown was thrown'
  }
}
