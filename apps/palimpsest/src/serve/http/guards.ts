import { isForeignPage, isLoopback } from '@palimpsest/gateway'
import type { MiddlewareHandler } from 'hono'
import { sameSecret } from '../../same-secret.ts'
import { ServiceFault } from './service-fault.ts'

type Guard = MiddlewareHandler<CallContext>

/**
 * Refuses calls that were addressed to another machine's name: a page of a stranger whose name was rebound to this
 * machine sends its own.
 */
export function loopbackHostOnly(): Guard {
  /** Clients go on naming the same host. */
  let known: string | undefined
  return async (context, next) => {
    const host = context.req.header('host')
    const name = host === known ? undefined : URL.parse(`http://${host}`)?.hostname
    // Every browser names a host; what looks whether the service is well, such as a balancer, need not.
    if (host !== undefined && host !== known && (name === undefined || !isLoopback(name)))
      throw new ServiceFault(
        403,
        'wrong-host',
        'this service answers to localhost only; use http://localhost or 127.0.0.1',
      )
    known = host
    await next()
  }
}

/**
 * Refuses what pages of other origins send, whatever they declare it as. Links to the page may be followed from anywhere.
 */
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

/** Asks every call for the token, except those to `open` paths. */
export function bearerToken(token: string, open: readonly string[]): Guard {
  return async (context, next) => {
    // The name of a scheme has no case (RFC 9110, 11.1).
    const bearer = /^bearer +([^ ].*)$/is.exec(context.req.header('authorization') ?? '')?.[1]
    // Clients of Anthropic's API send their key in a header of its own.
    const given = bearer ?? context.req.header('x-api-key') ?? ''
    if (!open.includes(context.req.path) && !sameSecret(token, given)) {
      context.header('www-authenticate', 'Bearer')
      throw new ServiceFault(401, 'unauthorized', 'send the token: Authorization: Bearer <token>')
    }
    await next()
  }
}

export interface CallContext {
  readonly Variables: {
    /** Aborts at the time limit, when the caller goes away, and when a shutdown cannot wait any longer. */
    signal: AbortSignal
    /** For the log, besides path and status. */
    noted: { session?: string; tokens?: string }
  }
}
