import { createHash, timingSafeEqual } from 'node:crypto'
import { abortable } from '@palimpsest/core'
import { isForeignPage, isLoopback } from '@palimpsest/gateway'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ServiceFault } from './service-fault.ts'

type Guard = MiddlewareHandler<CallContext>

export interface CallContext {
  readonly Variables: {
    signal: AbortSignal
    noted: { session?: string; tokens?: string }
  }
}

/** Prevents DNS rebinding: a rebound page sends its own host name. */
export function loopbackHostOnly(): Guard {
  return async (context, next) => {
    const host = context.req.header('host')
    const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
    // Every browser sends a host; a health check may not.
    if (host !== undefined && (name === undefined || !isLoopback(name)))
      throw new ServiceFault(
        403,
        'wrong-host',
        'this service answers to localhost only; use http://localhost or 127.0.0.1',
      )
    await next()
  }
}

/** Refuses requests from other origins. Links to the page are allowed. */
export function ownPagesOnly(): Guard {
  return async (context, next) => {
    if (isForeignPage(context.req.raw, true))
      throw new ServiceFault(
        403,
        'foreign-origin',
        'pages of other origins may not use this service; serve with a token if one has to',
      )
    await next()
  }
}

export function bearerToken(token: string, open: readonly string[]): Guard {
  return async (context, next) => {
    // A scheme's name has no case (RFC 9110, 11.1).
    const bearer = /^bearer +([^ ].*)$/is.exec(context.req.header('authorization') ?? '')?.[1]
    // Clients of Anthropic's API send their key in their own header.
    const given = bearer ?? context.req.header('x-api-key') ?? ''
    if (!open.includes(context.req.path) && !sameSecret(token, given)) {
      context.header('www-authenticate', 'Bearer')
      throw new ServiceFault(401, 'unauthorized', 'send the token: Authorization: Bearer <token>')
    }
    await next()
  }
}

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
 * Accepts only JSON in UTF-8: another origin can send anything else without a preflight.
 *
 * @param bytes Maximum size of a body.
 */
export function jsonBody(bytes: number): Guard {
  const bounded = bodyLimit({
    maxSize: bytes,
    onError() {
      throw new ServiceFault(413, 'body-too-large', `the body is larger than ${bytes} bytes; send less`)
    },
  })
  return async (context, next) => {
    if (context.req.method !== 'POST') return next()
    if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
      throw new ServiceFault(415, 'not-json', 'send JSON with the header "content-type: application/json"')
    const read = async () => {
      await bounded(context, async () => {})
      return context.req.arrayBuffer()
    }
    const bytes = await abortable(read(), context.get('signal')).catch((error) => {
      throw error instanceof ServiceFault && error.code === 'time-limit' ? uploadFault(error) : error
    })
    assertUtf8(bytes)
    await next()
  }
}

function uploadFault(cause: ServiceFault): ServiceFault {
  const message = 'the body did not arrive within the time limit of a call; send it again'
  return new ServiceFault(408, 'upload-slow', message, { cause })
}

/** Replacement characters would change the text. */
function assertUtf8(bytes: ArrayBuffer): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceFault(400, 'invalid-utf8', 'the body must be JSON in UTF-8, as it is', {
      path: 'body',
      cause,
    })
  }
}

/** Compares digests, so that the time does not depend on the secret. */
function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
