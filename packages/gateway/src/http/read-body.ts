import { abortable, isObject, type Loose } from '@palimpsest/core'
import type { GatewayLimits } from '../gateway-defaults.ts'
import { notJson } from './assert-own-page.ts'
import { GatewayFault, uploadFault } from './gateway-fault.ts'

/**
 * The bytes of a request's body. A foreign page can send a body that is not declared as JSON without a preflight request.
 *
 * @throws GatewayFault 408, 413, 415
 */
export async function readBody(
  { headers, body }: Request,
  { body: limit, upload: longest }: Pick<GatewayLimits, 'body' | 'upload'>,
): Promise<Buffer<ArrayBuffer>> {
  if (!/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) throw notJson()
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? ''))
    throw new GatewayFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(uploadFault(longest)), longest)
  try {
    if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
    return await abortable(readBytes(body, limit), late.signal)
  } finally {
    clearTimeout(timer)
  }
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(limit: number): GatewayFault {
  return new GatewayFault(413, 'body_too_large', `the body is larger than ${limit} bytes; send less`)
}

/** @throws GatewayFault 400 for what is not a JSON object in UTF-8. */
export function parseBody(bytes: Uint8Array): Loose {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const message = 'the body must be JSON in UTF-8, and has other bytes in it'
    throw new GatewayFault(400, 'invalid_utf8', message, { cause })
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    const message = `the body must be JSON: ${(cause as Error).message}`
    throw new GatewayFault(400, 'invalid_json', message, { cause })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}
