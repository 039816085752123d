import type { MiddlewareHandler } from 'hono'
import { isLoopback } from '../../serve/http/guards.ts'
import { GatewayFault } from './gateway-fault.ts'

/**
 * Refuses what a page of a stranger sends from this machine's browser: it would spend the key of the configuration.
 * Pages of this machine itself may come, and programs, which send no origin.
 */
export function ownPagesOnly(): MiddlewareHandler {
  return async (context, next) => {
    const origin = context.req.header('origin')
    const host = origin === undefined ? undefined : URL.parse(origin)?.hostname
    if (origin !== undefined && (host === undefined || !isLoopback(host)))
      throw new GatewayFault(
        403,
        'foreign_origin',
        'pages of other sites may not use this gateway; serve with a token if one has to',
      )
    await next()
  }
}
