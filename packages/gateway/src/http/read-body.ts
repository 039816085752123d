import { isUtf8 } from 'node:buffer'
import { GatewayFault } from './gateway-fault.ts'

/**
 * The body of a request, which is UTF-8. A foreign page can send a body that is not declared as JSON without a preflight
 * request.
 *
 * @param limit in bytes.
 * @throws GatewayFault 400, 413, 415
 */
export async function readBody(request: Request, limit: number): Promise<Buffer<ArrayBuffer>> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new GatewayFault(415, 'not_json', 'send JSON with the header "content-type: application/json"')
  if (!/^(?:identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? ''))
    throw new GatewayFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
  const tooLarge = () =>
    new GatewayFault(413, 'body_too_large', `the body is larger than ${limit} bytes; send less`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw tooLarge()
  // A large body is copied piece by piece as it comes.
  let body = Buffer.allocUnsafeSlow(declared || FIRST_BYTES)
  let size = 0
  for await (const chunk of request.body ?? []) {
    if (size + chunk.byteLength > limit) throw tooLarge()
    if (size + chunk.byteLength > body.length)
      body = Buffer.concat([body], Math.min(limit, 2 * (size + chunk.byteLength)))
    body.set(chunk, size)
    size += chunk.byteLength
  }
  const sent = body.subarray(0, size)
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => sent[index] === byte)
  if (isUtf8(sent)) return sent.subarray(hasMark ? BYTE_ORDER_MARK.length : 0)
  throw new GatewayFault(400, 'invalid_utf8', 'the body must be JSON in UTF-8, and has other bytes in it')
}

/** Room for a body whose length is not said. It grows. */
const FIRST_BYTES = 64 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
