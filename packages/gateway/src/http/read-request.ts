import { isIP } from 'node:net'
import { abortable, isObject, type Loose } from '@palimpsest/core'
import type { GatewayLimits } from '../gateway-defaults.ts'
import { GatewayFault, uploadFault } from './gateway-fault.ts'

/**
 * True for a request from another origin's page. Programs send none of the headers checked here. The host's name must
 * be local, because a rebound page sends its own.
 *
 * @param takesLinks True allows links followed from other pages.
 */
export function isForeignPage({ headers, url }: Request, takesLinks: boolean): boolean {
  const origin = headers.get('origin')
  if (origin !== null) {
    const page = URL.parse(origin)
    return page === null || !isLoopback(page.hostname) || page.host !== new URL(url).host
  }
  // Images, scripts and links have no origin; browsers send their site in another header.
  const site = headers.get('sec-fetch-site')
  if (site === null || site === 'same-origin' || site === 'none') return false
  const isLink = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  return !(takesLinks && isLink)
}

/**
 * Refuses another origin's page, which would spend the configured key.
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

/** Body types that no API accepts, and that a page may send anywhere without a preflight. */
const SIMPLE = /^(?:text\/plain|application\/x-www-form-urlencoded)\s*(?:;|$)/i

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

/** `.` and `..`, also with a suffix that some servers treat as parameters. */
const DOTS = /^\.{1,2}(?:;|$)/

/** A path that is equal in both forms, as almost all are. */
const PLAIN = /^(?:\/[\w-]+)+$/

interface PathBelow {
  readonly normal: string
  readonly plain: string
}

/**
 * @throws GatewayFault 404 for a path outside the prefix, and for one that a server may read so, such as
 * `/v1/..%2fadmin`.
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
  throw new GatewayFault(
    404,
    'unknown_path',
    `there is no ${pathname} below ${prefix}/; check the base URL of the client`,
  )
}

/** An escape of a letter, a digit or one of `-._~` means that character (RFC 3986, 6.2.2.2). */
function unescaped(code: string): string {
  const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return /[\w.~-]/.test(sign) ? sign : code.toUpperCase()
}

/** Decodes repeatedly, because each server on the way may decode once. */
function decoded(path: string): string {
  try {
    const once = decodeURIComponent(path)
    return once === path ? path : decoded(once)
  } catch {
    return path
  }
}

/**
 * Another origin can send a body that is not declared as JSON without a preflight.
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
