import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { ShownSession, ShownSessions, ViewCursor } from '../view/view-recorder.ts'

/** Revisions that one recorder may count to. */
const REVISIONS = 2 ** 31
/** Least time between two updates of a page, and between two signs of life, in milliseconds. */
const LEAST_PAUSE = 150
const HEARTBEAT = 15_000

export function createSessionFeeds(sessions: ShownSessions) {
  const end = new AbortController()
  const bases = new WeakMap<ShownSession, number>()
  /** Revisions count from a number per recorder: a cursor from before a restart is not mistaken for a current one. */
  const baseOf = (recorder: ShownSession): number => {
    const base = bases.get(recorder) ?? Math.floor(Math.random() * 2 ** 20) * REVISIONS
    bases.set(recorder, base)
    return base
  }
  const outside = (recorder: ShownSession, cursor: ViewCursor): ViewCursor => ({
    ...cursor,
    revision: cursor.revision + baseOf(recorder),
  })

  const find = async (id: string) => sessions.find(id) ?? (await sessions.findStored(id))

  return {
    async view(id: string) {
      const recorder = await find(id)
      if (recorder === undefined) return undefined
      const { view, cursor } = await recorder.view()
      return { view, cursor: outside(recorder, cursor) }
    },
    /** The changes of a session as they come. Undefined without such a session. */
    async follow(context: Context, id: string): Promise<Response | undefined> {
      const recorder = await find(id)
      if (recorder === undefined) return undefined
      return feed(context, async (stream) => {
        const given = readCursor(context)
        let cursor = given && { ...given, revision: given.revision - baseOf(recorder) }
        await onEachChange(stream, subscribeTo(sessions, id, recorder), end.signal, async () => {
          const next = await deltaSince(recorder, (await find(id)) === recorder ? cursor : undefined)
          if (next === undefined) {
            await stream.writeSSE({ event: 'gone', data: '{}' })
            return false
          }
          if (next.cursor.revision !== cursor?.revision) {
            const revision = next.delta.revision + baseOf(recorder)
            await stream.writeSSE({ event: 'delta', data: JSON.stringify({ ...next.delta, revision }) })
          }
          cursor = next.cursor
          return true
        })
      })
    },
    /** The list of sessions, now and whenever it changes. */
    followList: (context: Context): Response =>
      feed(context, (stream) =>
        onEachChange(stream, sessions.subscribe, end.signal, async () => {
          await stream.writeSSE({
            event: 'sessions',
            data: JSON.stringify({ sessions: await sessions.list() }),
          })
          return true
        }),
      ),
    close: () => end.abort(),
  }
}

/** A stream that ends when a store fails or is closed: the page asks anew then, and is told why. */
function feed(context: Context, run: (stream: SSEStreamingApi) => Promise<void>): Response {
  return streamSSE(context, run, async () => {})
}

/** Changes of a view, and the moment when another one takes its place, or none. */
function subscribeTo(sessions: ShownSessions, id: string, recorder: ShownSession) {
  return (listener: () => void) => {
    const stops = [
      recorder.subscribe(listener),
      sessions.subscribe(() => {
        if ((sessions.find(id) ?? recorder) !== recorder) listener()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
}

async function deltaSince(recorder: ShownSession, cursor: ViewCursor | undefined) {
  if (cursor === undefined || cursor.revision < 0 || cursor.revision >= REVISIONS) return undefined
  return recorder.delta(cursor).catch(() => undefined)
}

/** Runs `send` now and after each change until it returns false, the page goes away or the feeds end. */
async function onEachChange(
  stream: SSEStreamingApi,
  subscribe: (listener: () => void) => () => void,
  end: AbortSignal,
  send: () => Promise<boolean>,
): Promise<void> {
  let isDue = true
  let wake = () => {}
  const unsubscribe = subscribe(() => {
    isDue = true
    wake()
  })
  const stop = () => wake()
  stream.onAbort(stop)
  end.addEventListener('abort', stop)
  try {
    while (!stream.aborted && !end.aborted) {
      if (isDue) {
        isDue = false
        if (!(await send())) return
        await stream.sleep(LEAST_PAUSE)
      } else {
        const woken = new Promise<'change'>((resolve) => {
          wake = () => resolve('change')
        })
        const timer = setTimeout(() => wake(), HEARTBEAT)
        await woken
        clearTimeout(timer)
        if (isDue || stream.aborted || end.aborted) continue
        await stream.write(': still here\n\n')
        // Stores change without notice when a model works in the background.
        isDue = true
      }
    }
    // A program that ends says what it did last.
    if (isDue && !stream.aborted) await send()
  } finally {
    unsubscribe()
    end.removeEventListener('abort', stop)
  }
}

/** Undefined for a cursor that no page has: it is told to begin anew. */
function readCursor(context: Context): ViewCursor | undefined {
  const numberOf = (field: keyof ViewCursor) => Number(context.req.query(field) ?? Number.NaN)
  const cursor: ViewCursor = {
    revision: numberOf('revision'),
    messages: numberOf('messages'),
    requests: numberOf('requests'),
    compactions: numberOf('compactions'),
    warnings: numberOf('warnings'),
  }
  const isCursor = Object.values(cursor).every((value) => Number.isSafeInteger(value) && value >= 0)
  return isCursor ? cursor : undefined
}
