/** Codes of Node and undici that mean: no answer in time. */
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** What `fetch` says in Node and in browsers, and SDKs about a stream that was cut. */
const networkMessages =
  /fetch failed|failed to fetch|load failed|networkerror|terminated|socket hang up|network error/i

/**
 * Whether an error, or one of its causes, is about the connection. An abort is a timeout, because the caller's own
 * has been answered before this is asked.
 */
export function connectionFailure(error: unknown): 'timeout' | 'network' | undefined {
  const chain = causes(error)
  const codes = chain.map(({ code }) => (typeof code === 'string' ? code : ''))
  if (codes.some((code) => timeoutCodes.has(code))) return 'timeout'
  if (chain.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) return 'timeout'
  if (codes.some((code) => /^(E[A-Z]+|UND_ERR_\w+)$/.test(code))) return 'network'
  return chain.some(({ message }) => networkMessages.test(message)) ? 'network' : undefined
}

function causes(error: unknown): (Error & { readonly code?: unknown })[] {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at)
  return chain
}
