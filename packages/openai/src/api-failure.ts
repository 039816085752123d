import { looseOf } from '@palimpsest/core'
import { retryAfterMs, textOf } from '@palimpsest/provider-utils'

export interface ApiFailure {
  readonly status: number
  readonly message: string
  readonly codes: readonly string[]
  readonly param: string
  readonly retryAfterMs?: number
}

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

/** Servers send an object or a sentence, and a status in its code. */
export function toFailure(
  body: unknown,
  { status = 0, headers }: { readonly status?: number; readonly headers?: Headers } = {},
): ApiFailure {
  const { code, type, param, message, metadata } = looseOf(body)
  const said = textOf(message) || textOf(body) || JSON.stringify(body)
  // OpenRouter puts the upstream provider's message here.
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

/** The title of a web page that a proxy or a wrong address sent. Undefined for other text. */
export function webPage(text: string): string | undefined {
  if (!/<!doctype html|<html[\s>]/i.test(text)) return undefined
  const title = /<title[^<>]*>([^<]*)/i.exec(text)?.[1]?.trim()
  return title ? `a web page came, "${title}"` : 'a web page came'
}
