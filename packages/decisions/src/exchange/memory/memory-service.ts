import { abortable, redactSecrets } from '@palimpsest/core'
import { MemoryError, type MemoryErrorCode } from './external-memory.ts'

/** The options of every memory service. */
export interface MemoryServiceOptions {
  readonly apiKey: string
  /** The name that keeps the decisions of one project apart from others: 1 to 100 letters, digits, `-`, `_` and `.`. */
  readonly container: string
  /** Where the service is. Default: its hosted address. */
  readonly baseUrl?: string
  /** Milliseconds that one request may take. Default `DEFAULT_MEMORY_TIMEOUT_MS`. */
  readonly timeoutMs?: number
}

/** Milliseconds that a request may take: recalling is worth a short wait before a turn, and no longer. */
export const DEFAULT_MEMORY_TIMEOUT_MS = 10_000

/** Characters of a query that are sent, and of an answer that are read. */
const QUERY_CHARACTERS = 1_000
const ANSWER_CHARACTERS = 4_000_000
/** Characters of a service's own words that an error repeats. */
const DETAIL_CHARACTERS = 200

export interface ServiceRequest {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/** Sends JSON and returns the JSON of the answer. Nothing is tried twice: the engine publishes again anyway. */
export type CallService = (request: ServiceRequest) => Promise<unknown>

/**
 * The way to a memory service over HTTP.
 *
 * @throws TypeError for a container that has other characters. The calls throw MemoryError, or the signal's reason.
 */
export function createServiceCall(
  options: MemoryServiceOptions,
  service: { readonly name: string; readonly baseUrl: string; readonly authorization: string },
): CallService {
  const { apiKey, container, baseUrl = service.baseUrl, timeoutMs = DEFAULT_MEMORY_TIMEOUT_MS } = options
  if (!/^[\w.-]{1,100}$/.test(container))
    throw new TypeError('container must be 1 to 100 letters, digits, hyphens, underscores and dots')
  const fail = (code: MemoryErrorCode, said: string, cause?: unknown): MemoryError => {
    const text = redactSecrets(said.slice(0, 2_000).replaceAll(apiKey, '…'))
    const detail = text.replace(/\s+/g, ' ').slice(0, DETAIL_CHARACTERS)
    return new MemoryError(code, `${service.name} ${ADVICE[code]} (${detail})`, { cause })
  }
  return async ({ method, path, body, signal }) => {
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
    try {
      const response = await abortable(
        // A key is for the address that it was given for.
        fetch(`${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`, {
          ...{ method, signal: either, redirect: 'error', body: JSON.stringify(body) },
          headers: {
            authorization: `${service.authorization} ${apiKey}`,
            'content-type': 'application/json',
            accept: 'application/json',
          },
        }),
        either,
      )
      const text = await abortable(readText(response), either)
      if (!response.ok) throw fail(codeOf(response.status), `${response.status} ${text}`)
      return parse(text) ?? raise(fail('MEMORY_MALFORMED', text))
    } catch (error) {
      signal?.throwIfAborted()
      if (MemoryError.isInstance(error)) throw error
      if (limit.aborted) throw fail('MEMORY_TIMEOUT', `${timeoutMs / 1_000} s`, error)
      throw fail('MEMORY_UNAVAILABLE', reasonOf(error), error)
    }
  }
}

/** A query as it is sent; empty when there is nothing to ask. */
export function queryText(query: string): string {
  return query.slice(0, QUERY_CHARACTERS).toWellFormed().trim()
}

const ADVICE: Readonly<Record<MemoryErrorCode, string>> = {
  MEMORY_AUTH: 'refused the key; check it',
  MEMORY_UNAVAILABLE: 'was not reached or failed; try again later',
  MEMORY_TIMEOUT: 'did not answer in time; try again later',
  MEMORY_REFUSED: 'did not take the request; check its address and version, and the container',
  MEMORY_MALFORMED: 'answered with something else than it says; check its address',
}

function codeOf(status: number): MemoryErrorCode {
  if (status === 401 || status === 403) return 'MEMORY_AUTH'
  if (status === 408 || status === 504) return 'MEMORY_TIMEOUT'
  return status >= 400 && status < 500 && status !== 429 ? 'MEMORY_REFUSED' : 'MEMORY_UNAVAILABLE'
}

/** The text of an answer, no more of it than is read. */
async function readText({ body }: Response): Promise<string> {
  if (body === null) return ''
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part
    if (text.length > ANSWER_CHARACTERS) break
  }
  return text
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function raise(error: Error): never {
  throw error
}

/** `fetch` says "fetch failed" and keeps the reason to itself. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
