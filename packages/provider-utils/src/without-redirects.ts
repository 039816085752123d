/**
 * `fetch` that follows no redirect: a 307 or 308 would carry the conversation, and a key in a header of its own, to an address that
 * nobody named. A redirect becomes the answer 404, in the shape of providers' errors, that says where it leads. A call with its own
 * `redirect` is left alone.
 *
 * @param fetch Default: that of the platform.
 */
export function withoutRedirects(fetch: typeof globalThis.fetch = (...call) => globalThis.fetch(...call)) {
  const fetchHere: typeof globalThis.fetch = async (input, init) => {
    if (init?.redirect !== undefined) return fetch(input, init)
    const response = await fetch(input, { ...init, redirect: 'manual' })
    const { status, type, headers } = response
    const location = headers.get('location')
    // A browser does not say where it leads.
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
