import { looseOf } from '@palimpsest/core'
import { type GatewayFault, refusedFault } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'

/** OpenAI's names for kinds of errors, by status, where it has one. */
const TYPES: Readonly<Record<number, string>> = {
  409: 'conflict_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
  504: 'server_error',
}

/** The most that is shown of a text that is not JSON, in characters. */
const MAX_TEXT = 10_000

/** A fault of the gateway as a body in OpenAI's shape. */
export function writeOpenAIFault({ message, status, code, param }: GatewayFault): string {
  return JSON.stringify({ error: { message, type: TYPES[status] ?? 'invalid_request_error', code, param } })
}

/** A refusal of the upstream, as the error of an SDK. */
export function readOpenAIRefusal(text: string, status: number): object {
  const body = looseOf(parseJson(text))
  const error = looseOf(body.error)
  const message = [error.message, body.message, body.error, body.detail].find(
    (value) => typeof value === 'string',
  )
  return { status, code: error.code ?? body.code, message: message ?? text.slice(0, MAX_TEXT) }
}

/** A refusal of the upstream as a body with an `error`. */
export function openAIRefusalBody(text: string, status: number): string {
  const body = looseOf(parseJson(text))
  if (body.error !== undefined) return JSON.stringify(body)
  return writeOpenAIFault(refusedFault(status))
}
