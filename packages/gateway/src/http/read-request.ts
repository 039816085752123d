import { isIP } from 'node:net'
import { abortable, isObject, type Loose } from '@palimpsest/core'
import type { GatewayLimits } from '../gateway-defaults.ts'
import { GatewayFault, uploadFault } from './gateway-fault.ts'

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
  // Images, scripts and links of a page come without an origin: browsers name their site in another header.
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

function notJson(): GatewayFault {
  return new GatewayFault(415, 'not_json', 'send JSON with the header "content-type: application/json"')
}

/** True for an address or a name that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (plain === 'localhost' || plain === '::1' || plain === '::ffff:127.0.0.1') return true
  return isIP(plain) === 4 && plain.startsWith('127.')
}

/** `.` and `..`, also with a suffix that some servers take for parameters. */
const DOTS = /^\.{1,2}(?:;|$)/

/** A path that is the same in both forms, as those of almost all requests are. */
const PLAIN = /^(?:\/[\w-]+)+$/

/** The path of a request below a prefix, in the two forms of it that matter. */
interface PathBelow {
  /** To be forwarded: with single slashes, and with escapes of what needs one alone, which are kept as they are. */
  readonly normal: string
  /** The path as servers may read it: without escapes, and without a slash at its end. */
  readonly plain: string
}

/**
 * The path of a request below a prefix.
 *
 * @throws GatewayFault 404 for a path elsewhere, and for one that a server may read as one elsewhere, such as `/v1/..%2fadmin`.
 */
export function pathBelow(prefix: string, request: Request): PathBelow {
  const { pathname } = new URL(request.url)
  if (PLAIN.test(pathname) && pathname.startsWith(`${prefix}/`)) {
    const path = pathname.slice(prefix.length)
    return { normal: path, plain: path }
  }
  const normal = pathname.replaceAll(/%[\da-f]{2}/gi, unescaped).replaceAll(/\/{2,}/g, '/')
  const all = decoded(normal).split(/[/\\]+/)
  if (normal.startsWith(`${prefix}/`) && !all.some((segment) => DOTS.test(segment)))
    return {
      normal: normal.slice(prefix.length),
      plain: all.join('/').slice(prefix.length).replace(/\/$/, ''),
    }
  throw new GatewayFault(404, 'unknown_path', `there is no ${pathname} below ${prefix}/`)
}

/** An escape of a letter, a digit or one of `-._~` means that character (RFC 3986, 6.2.2.2). */
function unescaped(code: string): string {
  const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return /[\w.~-]/.test(sign) ? sign : code.toUpperCase()
}

/** As often as it was encoded: each server on the way may decode it once. */
function decoded(path: string): string {
  try {
    const once = decodeURIComponent(path)
    return once === path ? path : decoded(once)
  } catch {
    return path
  }
}

/**
 * The bytes of a request's body. A foreign page can send a body that is not declared as JSON without a preflight request.
 *
 * @throws GatewayFault 408, 413, 415
 */
export async function readBody(
  { headers, body }: Request,
  { body: limit, upload: longest }: Pick<GatewayLimits, 'body' | 'upload'>,
): Promise<Buffer<ArrayBuffer>> {
  if (!/^application\/json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) throw notJson()
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding')?.trim() ?? ''))
    throw new GatewayFault(415, 'encoded', 'send the body as it is, without "content-encoding"')
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(uploadFault(longest)), longest)
  try {
    if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
    return await abortable(readBytes(body, limit), late.signal)
  } finally {
    clearTimeout(timer)
  }
}

async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(limit: number): GatewayFault {
  return new GatewayFault(413, 'body_too_large', `the body is larger than ${limit} bytes; send less`)
}

/** @throws GatewayFault 400 for what is not a JSON object in UTF-8. */
export function parseBody(bytes: Uint8Array): Loose {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const message = 'the body must be JSON in UTF-8, and has other bytes in it'
    throw new GatewayFault(400, 'invalid_utf8', message, { cause })
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    const message = `the body must be JSON: ${(cause as Error).message}`
    throw new GatewayFault(400, 'invalid_json', message, { cause })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}
