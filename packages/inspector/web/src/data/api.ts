import type { EventSourceMessage } from 'eventsource-parser'
import { EventSourceParserStream } from 'eventsource-parser/stream'

const LONGEST_SILENCE = 45_000

export interface Api {
  json(path: string, signal: AbortSignal): Promise<unknown>
  /** Server-sent events until the connection ends. @throws ApiError when the service refuses */
  events(path: string, signal: AbortSignal): AsyncIterable<EventSourceMessage>
}

/** The service answered, and not with what was asked for. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  constructor(status: number, reason: string) {
    super(
      `The service answered with status ${status}${reason === '' ? '' : `: ${reason.replace(/\.$/, '')}`}.`,
    )
    this.status = status
  }
}

/** Characters of a reason. */
const LONGEST_REASON = 500

/** The service's words on its refusal. */
async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { readonly error: { readonly message?: unknown } }
    return typeof error.message === 'string' ? error.message.slice(0, LONGEST_REASON) : ''
  } catch {
    return ''
  }
}

interface ApiOptions {
  readonly fetch: typeof fetch
  readonly token: string | null
}

export function createApi({ fetch, token }: ApiOptions): Api {
  const ask = async (path: string, signal: AbortSignal, accept: string) => {
    const headers = { accept, ...(token === null ? {} : { authorization: `Bearer ${token}` }) }
    const response = await fetch(path, { headers, signal, cache: 'no-store' })
    if (!response.ok) throw new ApiError(response.status, await reasonOf(response))
    return response
  }
  return {
    json: async (path, signal) => {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_SILENCE)])
      return (await ask(path, patience, 'application/json')).json()
    },
    async *events(path, signal) {
      const connection = new AbortController()
      let silence: ReturnType<typeof setTimeout> | undefined
      const heard = () => {
        clearTimeout(silence)
        silence = setTimeout(() => connection.abort(), LONGEST_SILENCE)
      }
      try {
        heard()
        const { body } = await ask(path, AbortSignal.any([signal, connection.signal]), 'text/event-stream')
        const reader = body
          ?.pipeThrough(new TextDecoderStream())
          .pipeThrough(new EventSourceParserStream({ onComment: heard }))
          .getReader()
        for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
          heard()
          yield next.value
        }
      } finally {
        clearTimeout(silence)
        connection.abort()
      }
    },
  }
}

const KEY = 'palimpsest-token'

export function readToken(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function storeToken(token: string): void {
  try {
    sessionStorage.setItem(KEY, token)
  } catch {
    // It is asked for again after a reload.
  }
}
