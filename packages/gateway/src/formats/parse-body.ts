import { isObject, type Loose } from '@palimpsest/core'
import { GatewayFault } from '../http/gateway-fault.ts'

/** @throws GatewayFault 400 for a body that is not a JSON object. */
export function parseBody(text: string): Loose {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new GatewayFault(400, 'invalid_json', `the body must be JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}

/** A number of tokens. Undefined for everything else. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
