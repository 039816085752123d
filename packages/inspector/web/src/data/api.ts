const LONGEST_SILENCE = 45_000

export interface Api {
  /** Yields the events of a stream until it ends. @throws ApiError if the service refuses. */
  events(path: string, signal: AbortSignal): AsyncIterable<unknown>
}

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

const LONGEST_REASON = 500

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

/** `EventSource` cannot send a token. */
export function createApi({ fetch, token }: ApiOptions): Api {
  return {
    async *events(path, signal) {
      const silence = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      const heard = () => {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), LONGEST_SILENCE)
      }
      try {
        heard()
        const headers = {
          accept: 'text/event-stream',
          ...(token !== null && { authorization: `Bearer ${token}` }),
        }
        const either = AbortSignal.any([signal, silence.signal])
        const response = await fetch(path, { headers, signal: either, cache: 'no-store' })
        if (!response.ok) throw new ApiError(response.status, await reasonOf(response))
        for await (const line of linesOf(response.body, heard))
          if (line.startsWith(DATA)) yield JSON.parse(line.slice(DATA.length))
      } finally {
        clearTimeout(timer)
        silence.abort()
      }
    },
  }
}

const DATA = 'data:'

/** A line may have megabytes, so its parts are joined once. */
async function* linesOf(body: Response['body'], heard: () => void): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let parts: string[] = []
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    heard()
    const [first = '', ...others] = next.value.split('\n')
    parts.push(first)
    for (const other of others) {
      yield parts.join('')
      parts = [other]
    }
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
  } catch {}
}
