import { isIP } from 'node:net'
import { GatewayFault } from './gateway-fault.ts'

/**
 * Refuses what a page of another origin sends from this machine's browser: it would spend the key of the configuration.
 * A page that this server itself shows may come, and programs, which send no origin. The host's name has to be this machine's
 * own: a page of a stranger whose name was rebound to it sends its own.
 *
 * @throws GatewayFault 403
 */
export function assertOwnPage({ headers, url }: Request): void {
  const origin = headers.get('origin')
  if (origin === null) return
  const page = URL.parse(origin)
  if (page !== null && isLoopback(page.hostname) && page.host === new URL(url).host) return
  throw new GatewayFault(
    403,
    'foreign_origin',
    'pages of other origins may not use this gateway; serve with a token if one has to',
  )
}

/** True for an address or a name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (plain === 'localhost' || plain === '::1' || plain === '::ffff:127.0.0.1') return true
  return isIP(plain) === 4 && plain.startsWith('127.')
}
