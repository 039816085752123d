import { abortable } from '@palimpsest/core'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { CallContext } from './guards.ts'
import { ServiceFault } from './service-fault.ts'

type Guard = MiddlewareHandler<CallContext>

/**
 * Takes JSON in UTF-8 alone, as it is. A page of a stranger can send anything else without asking the browser first, and
 * an empty body too.
 */
export function jsonOnly(): Guard {
  return async (context, next) => {
    if (context.req.method !== 'POST') return next()
    const type = context.req.header('content-type') ?? ''
    if (!/^application\/json\s*(;|$)/i.test(type))
      throw new ServiceFault(415, 'not-json', 'send JSON with the header "content-type: application/json"')
    const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      throw new ServiceFault(415, 'wrong-charset', 'send JSON in UTF-8, which needs no "charset"')
    if (!/^(identity)?$/i.test(context.req.header('content-encoding')?.trim() ?? ''))
      throw new ServiceFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
    return next()
  }
}

/** Takes a call without a body as one with an empty object, whatever it is declared as. */
export function emptyIsObject(): Guard {
  return async (context, next) => {
    const { raw } = context.req
    const header = (name: string) => context.req.header(name)
    const isEmpty = header('transfer-encoding') === undefined && Number(header('content-length') ?? 0) === 0
    if (context.req.method === 'POST' && isEmpty) {
      const headers = new Headers(raw.headers)
      headers.set('content-type', 'application/json')
      headers.delete('content-length')
      context.req.raw = new Request(raw.url, { method: 'POST', headers, body: '{}', signal: raw.signal })
    }
    await next()
  }
}

/**
 * Reads a body, as long as its call may take. Bytes that are no UTF-8 are refused: what would stand in their place was never
 * said.
 *
 * @param bytes the largest body that is read.
 */
export function boundedBody(bytes: number): Guard {
  const bounded = bodyLimit({
    maxSize: bytes,
    onError() {
      throw new ServiceFault(413, 'body-too-large', `the body is larger than ${bytes} bytes; send less`)
    },
  })
  return async (context, next) => {
    const read = async () => {
      await bounded(context, async () => {})
      return context.req.arrayBuffer()
    }
    if (context.req.method === 'POST') assertUtf8(await abortable(read(), context.get('signal')))
    await next()
  }
}

function assertUtf8(bytes: ArrayBuffer): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceFault(400, 'invalid-utf8', 'the body must be JSON in UTF-8, and has other bytes in it', {
      path: 'body',
      cause,
    })
  }
}
