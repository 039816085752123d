/** Base of all errors of Palimpsest. `code` is stable and for programs; `message` says what to do. */
export class PalimpsestError extends Error {
  /** True for an error of this class or of one below it, from any installed copy of its package. */
  static readonly isInstance = markErrors<PalimpsestError>(PalimpsestError, 'core.error')

  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/**
 * Marks the errors of a class, and returns the test for the mark. Unlike `instanceof`, the test holds for errors of another
 * installed copy of the class. A class without a mark of its own inherits `isInstance`, which is then true for errors of its parent too.
 *
 * @param name The package and the error, such as `core.disposed`; unique.
 *
 * @example
 * class QuotaError extends PalimpsestError {
 *   static override readonly isInstance = markErrors<QuotaError>(QuotaError, 'my-engine.quota')
 * }
 */
export function markErrors<E extends Error>(
  type: { readonly prototype: E },
  name: string,
): (value: unknown) => value is E {
  const mark = Symbol.for(`palimpsest.error.${name}`)
  Object.defineProperty(type.prototype, mark, { value: true })
  return (value): value is E => typeof value === 'object' && value !== null && mark in value
}

/** An engine was used after `dispose()`. Code `DISPOSED`. */
export class DisposedError extends PalimpsestError {
  static override readonly isInstance = markErrors<DisposedError>(DisposedError, 'core.disposed')

  constructor(engine: string) {
    super('DISPOSED', `the engine "${engine}" was used after dispose(); create a new one`)
  }
}

/** The session has ended; create a new one. Code `SESSION_ENDED`. */
export class SessionEndedError extends PalimpsestError {
  static override readonly isInstance = markErrors<SessionEndedError>(SessionEndedError, 'core.session-ended')

  constructor(method: string) {
    super('SESSION_ENDED', `${method}() was called after end(); create a new session`)
  }
}

/** No engine has the name that was chosen. Code `UNKNOWN_ENGINE`. */
export class UnknownEngineError extends PalimpsestError {
  static override readonly isInstance = markErrors<UnknownEngineError>(
    UnknownEngineError,
    'core.unknown-engine',
  )

  readonly engine: string
  /** The names of the engines that could be used instead. */
  readonly available: readonly string[]

  constructor(engine: string, available: readonly string[], message: string) {
    super('UNKNOWN_ENGINE', message)
    this.engine = engine
    this.available = available
  }
}

/** The engine that was chosen exists and cannot be used. Code `ENGINE_UNAVAILABLE`. */
export class EngineUnavailableError extends PalimpsestError {
  static override readonly isInstance = markErrors<EngineUnavailableError>(
    EngineUnavailableError,
    'core.engine-unavailable',
  )

  readonly engine: string
  /** Why not: one line that says what to do. */
  readonly reason: string

  constructor(engine: string, reason: string, options?: { cause?: unknown }) {
    super('ENGINE_UNAVAILABLE', `the context engine "${engine}" cannot be used: ${reason}`, options)
    this.engine = engine
    this.reason = reason
  }
}

/** An engine that is none, or speaks another version of the contract. Code `INVALID_ENGINE`. */
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

  /** Where it stands, such as `compression.threshold`. */
  readonly path: string

  constructor(path: string, message: string, options?: { cause?: unknown }) {
    super('INVALID_OPTION', message, options)
    this.path = path
  }
}

/** A part of a prompt that a host can do something about: one message, or all tools. */
export interface PromptPart {
  readonly kind: 'message' | 'tools'
  readonly tokens: number
  /** Index in the host's list. Absent for tools, and for what an engine wrote. */
  readonly index?: number
  readonly role?: string
  /** True for the last message of the user, which is sent verbatim. */
  readonly isLastUser?: boolean
  /** The tool that was called, and the id of the call: for a result, and for a message with one call. */
  readonly toolName?: string
  readonly toolCallId?: string
}

/** The prompt does not fit, and compacting harder did not help. Code `CONTEXT_OVERFLOW`. */
export class ContextOverflowError extends PalimpsestError {
  static override readonly isInstance = markErrors<ContextOverflowError>(
    ContextOverflowError,
    'core.context-overflow',
  )

  /** The size of the prompt, in tokens. */
  readonly tokens: number
  /** The room for it, in tokens. */
  readonly limit: number
  /** The largest part, after everything was cut that may be cut. Absent when there was no prompt yet. */
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

/** The message of an error, whatever was thrown. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  if (error === null || error === undefined) return `${error} was thrown`
  try {
    return String(error)
  } catch {
    return 'something that cannot be shown was thrown'
  }
}
