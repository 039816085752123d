import { isUtf8 } from 'node:buffer'
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
  { body: limit, upload }: Pick<GatewayLimits, 'body' | 'upload'>,
  source: AsyncIterable<Uint8Array> | null = request.body,
): Promise<Buffer<ArrayBuffer>> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '')) throw notJson()
  if (!/^(?:identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? ''))
    throw new GatewayFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
  const tooLarge = () =>
    new GatewayFault(413, 'body_too_large', `the body is larger than ${limit} bytes; send less`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limit) throw tooLarge()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(uploadFault(upload)), upload)
  const reading = readBytes(source, { declared, limit, late: late.promise })
  const sent = await Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
  if (sent === undefined) throw tooLarge()
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => sent[index] === byte)
  if (isUtf8(sent)) return sent.subarray(hasMark ? BYTE_ORDER_MARK.length : 0)
  throw new GatewayFault(400, 'invalid_utf8', 'the body must be JSON in UTF-8, and has other bytes in it')
}

interface BytesInput {
  /** The size that the request says, in bytes; 0 when it says none. */
  readonly declared: number
  /** In bytes. */
  readonly limit: number
  readonly late: Promise<never>
}

/** Undefined for more than the limit. Rejects when `late` does. */
async function readBytes(
  source: AsyncIterable<Uint8Array> | null,
  { declared, limit, late }: BytesInput,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const reader = source?.[Symbol.asyncIterator]()
  const next = async () => (await Promise.race([reader?.next(), late]))?.value
  // The body is copied piece by piece as it comes.
  let bytes = Buffer.allocUnsafeSlow(declared || FIRST_BYTES)
  let size = 0
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
    if (size + chunk.byteLength > limit) return undefined
    if (size + chunk.byteLength > bytes.length)
      bytes = Buffer.concat([bytes], Math.min(limit, 2 * (size + chunk.byteLength)))
    bytes.set(chunk, size)
    size += chunk.byteLength
  }
  return bytes.subarray(0, size)
}

/** Room for a body whose length is not said. It grows. */
const FIRST_BYTES = 64 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
