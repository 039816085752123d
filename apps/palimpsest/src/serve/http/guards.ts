import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { CallContext } from './call-context.ts'
import { ServiceFault } from './service-fault.ts'

type Guard = MiddlewareHandler<CallContext>

/** True for an address or a name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (plain === 'localhost' || plain === '::1' || plain === '::ffff:127.0.0.1') return true
  return isIP(plain) === 4 && plain.startsWith('127.')
}

/**
 * Refuses calls that were addressed to another machine's name: a page of a stranger whose name was rebound to this
 * machine sends its own.
 */
export function loopbackHostOnly(): Guard {
  return async (context, next) => {
    const name = URL.parse(`http://${context.req.header('host') ?? ''}`)?.hostname
    if (name === undefined || !isLoopback(name))
      throw new ServiceFault(
        403,
        'wrong-host',
        'this service answers to localhost only; use http://localhost or 127.0.0.1',
      )
    await next()
  }
}

/** Asks every call for the token, except those to `open` paths. */
export function bearerToken(token: string, open: readonly string[]): Guard {
  const wanted = digest(`Bearer ${token}`)
  return async (context, next) => {
    const given = digest(context.req.header('authorization') ?? '')
    // Digests have one length, so that the comparison tells nothing of the token's.
    if (!open.includes(context.req.path) && !timingSafeEqual(wanted, given)) {
      context.header('www-authenticate', 'Bearer')
      throw new ServiceFault(401, 'unauthorized', 'send the token: Authorization: Bearer <token>')
    }
    await next()
  }
}

/**
 * Takes JSON alone. A page of a stranger can send anything else without asking the browser first, and an empty body
 * too.
 */
export function jsonOnly(): Guard {
  return async (context, next) => {
    const type = context.req.header('content-type') ?? ''
    if (context.req.method === 'POST' && !/^application\/json\s*(;|$)/i.test(type))
      throw new ServiceFault(415, 'not-json', 'send JSON with the header "content-type: application/json"')
    await next()
  }
}

/** `bytes`: the largest body that is read. */
export function boundedBody(bytes: number): Guard {
  return bodyLimit({
    maxSize: bytes,
    onError() {
      throw new ServiceFault(413, 'body-too-large', `the body is larger than ${bytes} bytes; send less`)
    },
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
