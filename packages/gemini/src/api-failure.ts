import { isObject } from '@palimpsest/core'
import { retryAfterMs } from '@palimpsest/provider-utils'

/** The service's refusal of a request. */
export interface ApiFailure {
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
export function readApiFailure(error: unknown): ApiFailure | undefined {
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
