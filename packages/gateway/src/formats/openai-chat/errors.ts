import { looseOf } from '@palimpsest/core'
import { GatewayFault } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'

/** OpenAI's names for kinds of errors, by status, where it has one. */
const TYPES: Readonly<Record<number, string>> = {
  409: 'conflict_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'upstream_error',
  503: 'server_error',
  504: 'upstream_error',
}

/** Characters of what is no JSON. */
const MAX_TEXT = 10_000

export function writeFault({ message, status, code, param }: GatewayFault): string {
  return JSON.stringify({ error: { message, type: TYPES[status] ?? 'invalid_request_error', code, param } })
}

export function readRefusal(text: string, status: number): object {
  const body = looseOf(parseJson(text))
  const error = looseOf(body.error)
  const message = [error.message, body.message, body.error, body.detail].find(
    (value) => typeof value === 'string',
  )
  return { status, code: error.code ?? body.code, message: message ?? text.slice(0, MAX_TEXT) }
}

export function refusalEvent(text: string, status: number): string {
  const body = looseOf(parseJson(text))
  if (body.error !== undefined) return JSON.stringify(body)
  const message = `the upstream answered with status ${status}`
  return writeFault(new GatewayFault(502, 'upstream_error', message))
}
