import type { Judgement } from './judge-failure.ts'

/** Codes of Node and undici that mean: no answer in time. */
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** What `fetch` says in Node and in browsers, and the SDK about a connection, or about a body that was cut. */
const networkMessages =
  /fetch failed|failed to fetch|load failed|networkerror|terminated|socket hang up|network error|connection error|malformed server-sent event|in JSON at position|unexpected end of JSON/i

/**
 * Reads an error, or one of its causes, as a failure of the connection to a server. An abort is a timeout, because
 * the caller's own has been answered before this is asked. Undefined for every other error.
 */
export function connectionFailure(error: unknown, server: string): Judgement | undefined {
  const chain = causes(error)
  const codes = chain.map(({ code }) => (typeof code === 'string' ? code : ''))
  if (
    codes.some((code) => timeoutCodes.has(code)) ||
    chain.some(({ name, message }) => /^(?:Timeout|Abort)Error$/.test(name) || /timed? ?out/i.test(message))
  )
    return { kind: 'timeout', advice: `${server} did not answer in time; try again or send less` }
  if (codes.includes('ECONNREFUSED'))
    return { kind: 'network', advice: `nothing answers at ${server}: is the server there running?` }
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN'))
    return {
      kind: 'network',
      advice: `the host name of ${server} is not known; check baseUrl and the network`,
    }
  if (codes.some((code) => /CERT|TLS|SSL/.test(code)))
    return { kind: 'network', advice: `no secure connection to ${server} came about; check baseUrl` }
  if (
    codes.some((code) => /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) ||
    chain.some(({ message }) => networkMessages.test(message))
  )
    return { kind: 'network', advice: `the connection to ${server} failed or broke; try again` }
  return undefined
}

function causes(error: unknown): (Error & { readonly code?: unknown })[] {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at)
  return chain
}
