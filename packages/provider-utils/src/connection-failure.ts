/** The reason why a connection brought no answer. */
export type ConnectionFailure =
  | { readonly kind: 'timeout' }
  | { readonly kind: 'network'; readonly reason: 'refused' | 'unknown-host' | 'insecure' | 'broken' }

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

const LIMITS_OF_FETCH: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: '10 s for a connection',
  UND_ERR_HEADERS_TIMEOUT: '300 s for the beginning of an answer',
  UND_ERR_BODY_TIMEOUT: '300 s for the next piece of an answer',
}

/** Messages of `fetch` in Node and browsers, and of SDKs, about a broken connection or a truncated body. */
const BROKEN =
  /fetch failed|failed to fetch|load failed|networkerror|terminated|socket hang up|network error|connection error|malformed server-sent event|in JSON at position|unexpected end of JSON|incomplete json segment/i

const MAX_CAUSES = 5

/**
 * Classifies an error, or one of its causes, as a failed connection. An abort counts as a timeout, because the caller's
 * own abort is handled before. Undefined for every other error.
 */
export function connectionFailure(error: unknown): ConnectionFailure | undefined {
  const chain = causes(error)
  const codes = chain.map(({ code }) => (typeof code === 'string' ? code : ''))
  if (
    codes.some((code) => TIMEOUT_CODES.has(code)) ||
    chain.some(({ name, message }) => /^(?:Timeout|Abort)Error$/.test(name) || /timed? ?out/i.test(message))
  )
    return { kind: 'timeout' }
  if (codes.includes('ECONNREFUSED')) return { kind: 'network', reason: 'refused' }
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN'))
    return { kind: 'network', reason: 'unknown-host' }
  if (codes.some((code) => /CERT|TLS|SSL/.test(code))) return { kind: 'network', reason: 'insecure' }
  const isBroken =
    codes.some((code) => /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) ||
    chain.some(({ message }) => BROKEN.test(message))
  return isBroken ? { kind: 'network', reason: 'broken' } : undefined
}

export function limitOfFetch(error: unknown): string | undefined {
  const limit = causes(error)
    .map(({ code }) => (typeof code === 'string' ? LIMITS_OF_FETCH[code] : undefined))
    .find((text) => text !== undefined)
  return limit && `the limit is that of fetch, in Node ${limit} unless its dispatcher has another`
}

function causes(error: unknown): (Error & { readonly code?: unknown })[] {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < MAX_CAUSES; at = at.cause) chain.push(at)
  return chain
}
