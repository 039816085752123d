import type { ModelErrorKind } from '@palimpsest/core'

/**
 * The meaning of an HTTP status when the response says no more. A prompt that is too long is a matter of its
 * text: see `contextOverflow`.
 */
export function kindOfStatus(status: number): ModelErrorKind {
  if (status === 401 || status === 403) return 'auth'
  // 402: no credit left. 413 that is not about the window is about a rate, at Groq.
  if (status === 402 || status === 413 || status === 429) return 'quota'
  // 408 and 504: the deadline of the server or of a gateway before it.
  if (status === 408 || status === 504) return 'timeout'
  if (status >= 500) return 'overloaded'
  return status >= 400 ? 'invalid-request' : 'unknown'
}
