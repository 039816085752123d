/**
 * Returns a `fetch` that follows no redirect: a 307 or 308 would carry the conversation and a key to another address. A
 * redirect becomes a 404 in the shape of providers' errors, which names the target. A call with its own `redirect` is
 * unchanged.
 *
 * @param fetch Default: the platform's.
 */
export function withoutRedirects(fetch: typeof globalThis.fetch = (...call) => globalThis.fetch(...call)) {
  const fetchHere: typeof globalThis.fetch = async (input, init) => {
    if (init?.redirect !== undefined) return fetch(input, init)
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { status, type, headers } = response
    const location = headers.get('location')
    const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400 && location !== null)
    if (!isRedirect) return response
    await response.body?.cancel()
    const to =
      location === null
        ? 'elsewhere'
        : `to ${URL.parse(location, response.url || undefined)?.origin ?? location}`
    const message = `the server redirects ${to}, which is not followed: set the base URL accordingly`
    return Response.json({ type: 'error', error: { type: 'redirect', code: 404, message } }, { status: 404 })
  }
  return fetchHere
}
