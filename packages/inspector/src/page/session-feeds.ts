import { equalValues } from '@palimpsest/core'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { FeedEvent, SessionView, ViewDelta, ViewListDelta, ViewSummary } from '../view/session-view.ts'
import type { ShownSession, ShownSessions } from '../view/view-recorder.ts'

const LEAST_PAUSE = 150
const HEARTBEAT = 15_000

export function createSessionFeeds(sessions: ShownSessions) {
  const end = new AbortController()
  const find = async (id: string) => sessions.find(id) ?? (await sessions.findStored(id))

  return {
    view: async (id: string): Promise<SessionView | undefined> => (await find(id))?.view(),
    async follow(context: Context, id: string): Promise<Response | undefined> {
      const shown = await find(id)
      if (shown === undefined) return undefined
      const first = await shown.view()
      return feed(context, async (stream) => {
        let sent = first
        await tell(stream, { view: first })
        await onEachChange(stream, subscribeTo(sessions, id, shown), end.signal, async () => {
          if ((await find(id)) !== shown) return false
          const view = await shown.view(sent)
          const delta = deltaOf(sent, view)
          if (delta !== undefined) await tell(stream, { delta })
          sent = view
          return true
        })
      })
    },
    followList: (context: Context): Response =>
      feed(context, async (stream) => {
        let sent: readonly ViewSummary[] | undefined
        await onEachChange(stream, sessions.subscribe, end.signal, async () => {
          const list = await sessions.list()
          if (!equalValues(sent, list)) await tell(stream, { sessions: list })
          sent = list
          return true
        })
      }),
    close: () => end.abort(),
  }
}

/** A stream that ends if a store fails or is closed: the page reconnects and gets the reason. */
function feed(context: Context, run: (stream: SSEStreamingApi) => Promise<void>): Response {
  return streamSSE(context, (stream) => run(stream).catch(() => {}))
}

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

const tell = (stream: SSEStreamingApi, event: FeedEvent) => stream.writeSSE({ data: JSON.stringify(event) })

export function deltaOf(before: SessionView, after: SessionView): ViewDelta | undefined {
  const { format: _, id: __, messages, requests, compactions, warnings, ...facts } = after
  const delta = {
    messages: restOf(before.messages, messages),
    requests: restOf(before.requests, requests),
    compactions: restOf(before.compactions, compactions),
    warnings: restOf(before.warnings, warnings),
    facts: Object.fromEntries(
      Object.entries(facts).filter(([name, value]) => !equalValues(Reflect.get(before, name), value)),
    ),
  }
  const { facts: changed, ...lists } = delta
  const isSame =
    Object.keys(changed).length === 0 && Object.values(lists).every(({ items }) => items.length === 0)
  return isSame ? undefined : delta
}

/** A list only grows, except for its last entry, which may change. */
function restOf<T>(before: readonly T[], after: readonly T[]): ViewListDelta<T> {
  let from = Math.min(before.length, after.length)
  while (from > 0 && before[from - 1] !== after[from - 1]) from--
  return { from, items: after.slice(from) }
}

/** Runs `send` now and after each change, until it returns false, the page disconnects or the feeds end. */
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
        // Background work of a model changes stores without notice.
        isDue = true
      }
    }
    if (isDue && !stream.aborted) await send()
  } finally {
    unsubscribe()
    end.removeEventListener('abort', stop)
  }
}
