import { GatewayFault } from './gateway-fault.ts'

/** `.` and `..`, also with what some servers take for parameters behind. */
const DOTS = /^\.{1,2}(?:;|$)/

/**
 * The path of a request below a prefix, as it was written.
 *
 * @throws GatewayFault 404 for a path elsewhere, and for one that a server may read as one elsewhere, such as `/v1/..%2fadmin`.
 */
export function pathBelow(prefix: string, request: Request): string {
  const { pathname } = new URL(request.url)
  const isBelow = pathname.startsWith(`${prefix}/`)
  if (
    isBelow &&
    !decoded(pathname)
      .split(/[/\\]/)
      .some((segment) => DOTS.test(segment))
  )
    return pathname.slice(prefix.length)
  throw new GatewayFault(404, 'unknown_path', `there is no ${pathname} below ${prefix}/`)
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
