import { type Clock, type ContextSession, roughTokenCounter, type TokenCounter } from '@palimpsest/core'
import { createPageRoutes } from './page/page-routes.ts'
import type { SessionView, ViewSummary } from './view/session-view.ts'
import { createStoredFinder, type StoredSessions } from './view/stored-sessions.ts'
import { createViewRecorder, type ShownSession, type WatchOptions } from './view/view-recorder.ts'

export interface InspectorOptions {
  /** Counts tokens for the page. Default: core's rough counter, which needs no vocabulary. */
  readonly tokens?: TokenCounter
  /** The time, in milliseconds since the epoch. Default: the system clock. */
  readonly clock?: Clock
}

/** A page that shows sessions: the prompt of each request, what compactions replaced, and costs. */
export interface Inspector {
  /**
   * Records a session from now on; use the returned session in its place. It replaces a session of the same id; 64 are
   * kept, and the least recently active one leaves.
   */
  watch(session: ContextSession, options?: WatchOptions): ContextSession
  /**
   * Serves the page at `/`, and its data under `/api/` as JSON and server-sent events. Access control is the host's.
   */
  fetch(request: Request): Promise<Response>
  /** Lists stored sessions after recorded ones from now on; each is read when it is opened. */
  remember(stored: StoredSessions): void
  /** Lists recorded sessions by latest activity. */
  list(): ViewSummary[]
  /** The recording of a session, if there is one. */
  view(id: string): Promise<SessionView | undefined>
  close(): void
}

/** Creates an inspector without sessions. */
export function createInspector(options: InspectorOptions = {}): Inspector {
  const { tokens = roughTokenCounter, clock = { now: Date.now } } = options
  const sessions = createRecordedSessions()
  let stored: StoredSessions | undefined
  const page = createPageRoutes({
    find: sessions.find,
    findStored: createStoredFinder(() => stored),
    subscribe: sessions.subscribe,
    async list() {
      const recorded = sessions.list()
      const known = new Set(recorded.map(({ id }) => id))
      return [...recorded, ...((await stored?.list()) ?? []).filter(({ id }) => !known.has(id))]
    },
  })
  return {
    watch(session, about = {}) {
      const { session: watched, recorder } = createViewRecorder({ ...about, session, tokens, clock })
      sessions.add(recorder)
      return watched
    },
    remember(given) {
      stored = given
    },
    fetch: async (request) => page.routes.fetch(request),
    list: sessions.list,
    view: async (id) => sessions.find(id)?.view(),
    close: page.close,
  }
}

const MAX_VIEWS = 64

function createRecordedSessions() {
  const views = new Map<string, ShownSession>()
  const listeners = new Set<() => void>()
  const putFirst = (view: ShownSession) => {
    views.delete(view.id)
    views.set(view.id, view)
    for (const oldest of [...views.keys()].slice(0, Math.max(0, views.size - MAX_VIEWS))) views.delete(oldest)
    for (const listener of listeners) listener()
  }
  return {
    add(view: ShownSession): void {
      view.subscribe(() => {
        if ((views.get(view.id) ?? view) === view) putFirst(view)
      })
      putFirst(view)
    },
    find: (id: string): ShownSession | undefined => views.get(id),
    list: (): ViewSummary[] => [...views.values()].reverse().map((view) => view.summary()),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
