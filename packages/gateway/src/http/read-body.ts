import { isUtf8 } from 'node:buffer'
import type { ReceivedBody, Upload } from '../formats/body-memory.ts'
import type { GatewayLimits } from '../gateway-defaults.ts'
import { notJson } from './assert-own-page.ts'
import { GatewayFault, uploadFault } from './gateway-fault.ts'

/**
 * The body of a request, which is UTF-8. A foreign page can send a body that is not declared as JSON without a preflight
 * request.
 *
 * @throws GatewayFault 400, 408, 413, 415
 */
export async function readBody(
  request: Request,
  { body: limit, upload: longest }: Pick<GatewayLimits, 'body' | 'upload'>,
  begin: (declared: number) => Upload,
  source: AsyncIterable<Uint8Array> | null = request.body,
): Promise<ReceivedBody> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) throw notJson()
  if (!/^(?:identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? ''))
    throw new GatewayFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
  const tooLarge = () =>
    new GatewayFault(413, 'body_too_large', `the body is larger than ${limit} bytes; send less`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw tooLarge()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(uploadFault(longest)), longest)
  const upload = begin(declared)
  const reading = readBytes(source, upload, limit, late.promise)
  const isWhole = await Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
  if (!isWhole) throw tooLarge()
  const body = upload.end()
  // The bytes that are known were looked at before.
  if (!isUtf8(body.tail))
    throw new GatewayFault(400, 'invalid_utf8', 'the body must be JSON in UTF-8, and has other bytes in it')
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => body.tail[index] === byte)
  return hasMark ? { ...body, tail: body.tail.subarray(BYTE_ORDER_MARK.length), remember() {} } : body
}

/** False for more than the limit, in bytes. Rejects when `late` does. */
async function readBytes(
  source: AsyncIterable<Uint8Array> | null,
  upload: Upload,
  limit: number,
  late: Promise<never>,
): Promise<boolean> {
  const reader = source?.[Symbol.asyncIterator]()
  const next = async () => (await Promise.race([reader?.next(), late]))?.value
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    if (upload.size + chunk.byteLength > limit) return false
    upload.take(chunk)
  }
  return true
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
