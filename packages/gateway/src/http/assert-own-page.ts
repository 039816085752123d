import { isIP } from 'node:net'
import { GatewayFault } from './gateway-fault.ts'

/**
 * Whether a request comes from a page of another origin. Programs send none of the headers that this is seen by. The host's
 * name has to be this machine's own: a page of a stranger whose name was rebound to it sends its own.
 *
 * @param takesLinks whether a link that is followed there from another page is not one of them.
 */
export function isForeignPage({ headers, url }: Request, takesLinks: boolean): boolean {
  const origin = headers.get('origin')
  if (origin !== null) {
    const page = URL.parse(origin)
    return page === null || !isLoopback(page.hostname) || page.host !== new URL(url).host
  }
  // Images and scripts of a page, and links, come without an origin: browsers say of these in another header where they stand.
  const site = headers.get('sec-fetch-site')
  if (site === null || site === 'same-origin' || site === 'none') return false
  const isLink = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  return !(takesLinks && isLink)
}

/**
 * Refuses what a page of another origin sends from this machine's browser: it would spend the key of the configuration.
 *
 * @throws GatewayFault 403
 */
export function assertOwnPage(request: Request): void {
  if (!isForeignPage(request, false)) return
  throw new GatewayFault(
    403,
    'foreign_origin',
    'pages of other origins may not use this gateway; serve with a token if one has to',
  )
}

/** The types of bodies that no API takes, and that a page may send anywhere without asking the browser first. */
const SIMPLE = /^(?:text\/plain|application\/x-www-form-urlencoded)\s*(?:;|$)/i

/** Refuses a body that only a page or a mistake declares so. @throws GatewayFault 415 */
export function assertNotSimple({ headers }: Request): void {
  if (SIMPLE.test(headers.get('content-type') ?? '')) throw notJson()
}

/** The fault of a body that is not declared as JSON. */
export function notJson(): GatewayFault {
  return new GatewayFault(415, 'not_json', 'send JSON with the header "content-type: application/json"')
}

/** True for an address or a name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (plain === 'localhost' || plain === '::1' || plain === '::ffff:127.0.0.1') return true
  return isIP(plain) === 4 && plain.startsWith('127.')
}
