import { GatewayFault } from './gateway-fault.ts'

/** `.` and `..`, also with what some servers take for parameters behind. */
const DOTS = /^\.{1,2}(?:;|$)/

/** A path that is the same in both forms, as those of almost all requests are. */
const PLAIN = /^(?:\/[\w-]+)+$/

/** The path of a request below a prefix, in the two forms of it that matter. */
export interface PathBelow {
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
