import { type Clock, type ContextSession, errorText, type Loose, looseOf } from '@palimpsest/core'
import type { UpstreamAnswer } from '../http/upstream.ts'
import { parseJson } from '../parse-json.ts'

/** A request without an answer, which keeps the last prompt of a conversation in the provider's cache. */
export interface Ping {
  /** When to send it, in milliseconds since the epoch. */
  readonly at: number
  readonly body: Loose
  /** Called when it is sent. */
  sent(): void
  /** Called with the upstream's report of its cost. Returns whether such requests do what they are for. */
  answered(usage: object): boolean
}

/**
 * Returns the next ping of a conversation, by the body of its last request; undefined when none pays. Asked again when its
 * time has come, which may be late: the machine may have slept.
 */
export type NextPing = (session: ContextSession, body: Loose) => Ping | undefined

/** A request that was answered, as it was sent. */
export interface PingedRequest {
  readonly body: Loose
  /** Sends another body in the same way. */
  readonly post: (body: Loose, signal: AbortSignal) => Promise<UpstreamAnswer>
}

/** The pings of all conversations. A conversation has some only between its requests. */
export interface KeepAlive {
  /** The request was answered: its pings follow, until the next request. */
  begin(session: ContextSession, request: PingedRequest): void
  /** Ends the pings of a conversation, one on its way included. */
  stop(session: ContextSession): void
  close(): void
}

interface KeepAliveInput {
  readonly nextPing: NextPing
  readonly clock: Clock
  readonly log: (line: string) => void
}

export function createKeepAlive({ nextPing, clock, log }: KeepAliveInput): KeepAlive {
  const running = new Map<ContextSession, AbortController>()
  const useless = new WeakSet<ContextSession>()
  let isClosed = false

  const stop = (session: ContextSession): void => {
    running.get(session)?.abort()
    running.delete(session)
  }

  const keep = async (
    session: ContextSession,
    request: PingedRequest,
    signal: AbortSignal,
  ): Promise<void> => {
    for (let ping = nextPing(session, request.body); ping; ping = nextPing(session, request.body)) {
      const wait = ping.at - clock.now()
      if (wait > 0) {
        await sleep(wait, signal)
        if (signal.aborted) return
        continue
      }
      ping.sent()
      const answer = await request.post(ping.body, signal)
      const said = looseOf(parseJson(await answer.text()))
      if (answer.ok && ping.answered(looseOf(said.usage))) continue
      if (answer.ok || isFinal(answer.status)) useless.add(session)
      throw new Error(
        answer.ok
          ? 'the upstream wrote an answer, or did not read its cache'
          : `${answer.status} ${looseOf(said.error).message ?? 'from the upstream'}`,
      )
    }
  }

  return {
    begin(session, request) {
      stop(session)
      if (isClosed || useless.has(session)) return
      const controller = new AbortController()
      const { signal } = controller
      running.set(session, controller)
      keep(session, request, signal)
        .catch((error) => {
          if (!signal.aborted) log(`warning: a prompt is not kept in the cache: ${errorText(error)}`)
        })
        .finally(() => {
          if (running.get(session) === controller) running.delete(session)
        })
    },
    stop,
    close() {
      isClosed = true
      for (const session of running.keys()) stop(session)
    },
  }
}

/** Whether an upstream will refuse the same again. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 429
}

/** Resolves after so many milliseconds, or when the signal aborts. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    timer.unref()
    signal.addEventListener('abort', end)
  })
}
