import { isObject, ModelError, type ModelErrorKind } from '@palimpsest/core'
import { connectionFailure, kindOfStatus, providerError, retryAfterMs } from '@palimpsest/provider-utils'
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

/** The service's refusal of a request. */
interface ApiFailure {
  /** The HTTP status. */
  readonly status: number
  /** The name of the status, such as `RESOURCE_EXHAUSTED`; empty if there is none. */
  readonly name: string
  /** The service's own sentence, or what it sent instead of one. */
  readonly message: string
  /** Machine-readable reasons, such as `API_KEY_INVALID`. */
  readonly reasons: readonly string[]
  /** Milliseconds to wait, when the service said so. */
  readonly retryAfterMs?: number
}

/**
 * Reads the SDK's `ApiError`: its status, and the body that it puts into its message as JSON. Known by its shape,
 * because there may be several copies of the SDK. Undefined for every other error.
 */
function readApiFailure(error: unknown): ApiFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const { status } = error as { readonly status?: unknown }
  if (typeof status !== 'number') return undefined
  const body = innermost(error.message)
  const details = (Array.isArray(body.details) ? body.details : []).filter(isObject)
  const message = typeof body.message === 'string' ? body.message : error.message
  const stated = details.map((detail) => durationMs(detail.retryDelay)).find(Number.isFinite)
  const delay = stated ?? retryAfterMs({ message })
  return {
    status,
    name: typeof body.status === 'string' ? body.status : '',
    message,
    reasons: details.map((detail) => String(detail.reason ?? '')),
    ...(delay === undefined ? {} : { retryAfterMs: delay }),
  }
}

/** The `error` member of a body. Bodies come bare, in an array, after a prefix, and as text within another body. */
function innermost(text: string): Record<string, unknown> {
  const start = text.search(/[[{]/)
  if (start < 0) return {}
  try {
    const parsed: unknown = JSON.parse(text.slice(start))
    const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed
    const error = isObject(body) ? body.error : undefined
    if (!isObject(error)) return {}
    const inner = typeof error.message === 'string' ? innermost(error.message) : {}
    return typeof inner.message === 'string' ? inner : error
  } catch {
    return {}
  }
}

/** A protobuf duration such as `13.5s`, in milliseconds, rounded up. */
function durationMs(duration: unknown): number | undefined {
  const seconds = typeof duration === 'string' ? /^([\d.]+)s$/.exec(duration)?.[1] : undefined
  const ms = seconds === undefined ? Number.NaN : Math.ceil(Number(seconds) * 1000)
  return Number.isFinite(ms) ? ms : undefined
}
