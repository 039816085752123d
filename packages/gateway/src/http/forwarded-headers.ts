/** Headers that tell the upstream who asks. */
export const CREDENTIALS = ['authorization', 'api-key', 'x-api-key']

const REQUEST =
  /^(?:x-|openai-|anthropic-|helicone-)|^(?:accept|user-agent|http-referer|referer|api-key|originator|(?:session|thread|conversation)[-_]id)$/
/** Ours, and what says where a client sits: nothing that an upstream has to know. */
const NOT_REQUEST = /^x-(?:palimpsest-|forwarded-|real-ip$)/
const RESPONSE =
  /^(?:x-|openai-|anthropic-)|^(?:content-type|cache-control|retry-after|retry-after-ms|request-id|cf-ray)$/
const NOT_RESPONSE = /^x-(?:palimpsest-|accel-)/

export interface Credentials {
  /** Replaces the client's. */
  readonly apiKey: string | undefined
  /** The service has a token of its own: the client's authorization is that, and never leaves. */
  readonly hasToken: boolean
}

/** The headers of a client's request that the upstream gets. Nothing that belongs to the connection. */
export function requestHeaders(given: Headers, { apiKey, hasToken }: Credentials): Headers {
  const headers = new Headers()
  for (const [name, value] of given)
    if (REQUEST.test(name) && !NOT_REQUEST.test(name)) headers.set(name, value)
  const authorization = given.get('authorization')
  if (hasToken || apiKey !== undefined) for (const name of CREDENTIALS) headers.delete(name)
  if (apiKey !== undefined) {
    // Anthropic's API has a header of its own for keys, and each of its requests says its version.
    if (given.has('anthropic-version')) headers.set('x-api-key', apiKey)
    else headers.set('authorization', `Bearer ${apiKey}`)
  } else if (authorization !== null && !hasToken) headers.set('authorization', authorization)
  return headers
}

/** The headers of the upstream's answer that the client gets: the body arrives decoded, and perhaps changed. */
export function responseHeaders(given: Headers): Headers {
  const headers = new Headers()
  for (const [name, value] of given)
    if (RESPONSE.test(name) && !NOT_RESPONSE.test(name)) headers.set(name, value)
  return headers
}

/** The client's credentials as one text; empty when all clients of the service share a token. */
export function credentialsOf(given: Headers, { hasToken }: Credentials): string {
  if (hasToken) return ''
  return CREDENTIALS.map((name) => given.get(name) ?? '').join('\n')
}
