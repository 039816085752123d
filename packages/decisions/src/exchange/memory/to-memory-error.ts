import { redactSecrets } from '@palimpsest/core'
import { MemoryError, type MemoryErrorCode } from './memory-error.ts'

/** Characters of a service's own words that a message repeats. */
const DETAIL_CHARACTERS = 200

const ADVICE: Readonly<Record<MemoryErrorCode, string>> = {
  MEMORY_AUTH: 'the memory refused the key; check it',
  MEMORY_UNAVAILABLE: 'the memory was not reached or failed; try again later',
  MEMORY_TIMEOUT: 'the memory did not answer in time; try again later',
  MEMORY_REFUSED: 'the memory did not take the request; check its version and the container tag',
  MEMORY_MALFORMED: 'the memory answered with something else than JSON; check its address',
}

/** A failure of a client's call as a `MemoryError`, by its HTTP status and its name. Secrets are hidden. */
export function toMemoryError(error: unknown): MemoryError {
  if (MemoryError.isInstance(error)) return error
  const code = codeOf(error)
  const said = error instanceof Error ? error.message : String(error)
  const detail = redactSecrets(said.slice(0, 2_000)).replace(/\s+/g, ' ').slice(0, DETAIL_CHARACTERS)
  return new MemoryError(code, `${ADVICE[code]} (${detail})`, { cause: error })
}

function codeOf(error: unknown): MemoryErrorCode {
  if (error instanceof SyntaxError) return 'MEMORY_MALFORMED'
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  if (status === 401 || status === 403) return 'MEMORY_AUTH'
  if (status === 408 || status === 504) return 'MEMORY_TIMEOUT'
  if (typeof status === 'number' && status >= 400 && status < 500 && status !== 429) return 'MEMORY_REFUSED'
  const name = error instanceof Error ? error.constructor.name : ''
  return name === 'APIConnectionTimeoutError' ? 'MEMORY_TIMEOUT' : 'MEMORY_UNAVAILABLE'
}
