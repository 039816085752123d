import { looseOf } from '@palimpsest/core'
import { retryAfterMs, textOf } from '@palimpsest/provider-utils'

/** A server's refusal of a request, or its reason for breaking off an answer. */
export interface ApiFailure {
  /** The HTTP status; 0 when the failure came within an answer and names none. */
  readonly status: number
  /** The server's own sentence, or what it sent instead of one. */
  readonly message: string
  /** Machine-readable words for it, such as `insufficient_quota`: the code and the type. */
  readonly codes: readonly string[]
  /** The parameter that it is about; empty if there is none. */
  readonly param: string
  /** Milliseconds to wait, when the server said so. */
  readonly retryAfterMs?: number
}

/**
 * Reads the SDK's `APIError`, known by its shape, because there may be several copies of the SDK. Undefined for
 * every other error: a connection that failed has no body.
 */
export function readApiFailure(error: unknown): ApiFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const {
    status,
    error: body,
    headers,
  } = error as Error & { status?: unknown; error?: unknown; headers?: unknown }
  if (typeof status !== 'number' && body === undefined) return undefined
  return toFailure(body ?? error.message, {
    status: typeof status === 'number' ? status : 0,
    ...(headers instanceof Headers ? { headers } : {}),
  })
}

/** The `error` member of a body as a failure. Servers write an object or a sentence, and a status into its code. */
export function toFailure(
  body: unknown,
  { status = 0, headers }: { readonly status?: number; readonly headers?: Headers } = {},
): ApiFailure {
  const { code, type, param, message, metadata } = looseOf(body)
  const said = textOf(message) || textOf(body) || JSON.stringify(body)
  // OpenRouter keeps the sentence of the provider behind it here.
  const raw = textOf(looseOf(metadata).raw)
  const wait = retryAfterMs({ headers, message: said })
  return {
    status: status || (Number(code) >= 400 && Number(code) < 600 ? Number(code) : 0),
    message: raw === '' ? said : `${said}: ${raw}`,
    codes: [code, type].map(textOf).filter(Boolean),
    param: textOf(param),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  }
}

/**
 * A web page, which a proxy or a wrong address sends instead of an answer, in a few words: its title. Undefined for
 * every other text.
 */
export function webPage(text: string): string | undefined {
  if (!/<!doctype html|<html[\s>]/i.test(text)) return undefined
  const title = /<title[^<>]*>([^<]*)/i.exec(text)?.[1]?.trim()
  return title ? `a web page came, "${title}"` : 'a web page came'
}
