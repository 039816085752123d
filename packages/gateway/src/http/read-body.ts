import { GatewayFault } from './gateway-fault.ts'

/**
 * The body of a request as text. A foreign page can send a body that is not declared as JSON without a preflight
 * request.
 *
 * @param limit in bytes.
 * @throws GatewayFault 400, 413, 415
 */
export async function readBody(request: Request, limit: number): Promise<string> {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new GatewayFault(415, 'not_json', 'send JSON with the header "content-type: application/json"')
  if (!/^(?:identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? ''))
    throw new GatewayFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
  const tooLarge = () =>
    new GatewayFault(413, 'body_too_large', `the body is larger than ${limit} bytes; send less`)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge()
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const message = 'the body must be JSON in UTF-8, and has other bytes in it'
    throw new GatewayFault(400, 'invalid_utf8', message, { cause })
  }
}
