import { type Clock, type ContextSession, roughTokenCounter, type TokenCounter } from '@palimpsest/core'
import { createPageRoutes } from './page/page-routes.ts'
import type { SessionView, ViewSummary } from './view/session-view.ts'
import { createStoredFinder, type StoredSessions } from './view/stored-sessions.ts'
import { createViewRecorder, type ShownSession, type WatchOptions } from './view/view-recorder.ts'

export interface InspectorOptions {
  /** Counts what the page shows. Default: the rough counter of core, which needs no vocabulary. */
  readonly tokens?: TokenCounter
  /** Milliseconds since the epoch. Default: the clock of the process. */
  readonly clock?: Clock
}

/** A page that shows sessions: the prompt of each request, what a compaction replaced, what it costs. */
export interface Inspector {
  /**
   * Records a session from now on; use what it returns in its place. It replaces one of the same id; 64 are kept, the
   * quietest leaves.
   */
  watch(session: ContextSession, options?: WatchOptions): ContextSession
  /** Answers `/` with the page, and `/api/…` with its data as JSON and server-sent events. Access control is the host's. */
  fetch(request: Request): Promise<Response>
  /** Lists stored sessions behind those that are recorded, from now on; each is read when it is opened. */
  remember(stored: StoredSessions): void
  /** The recorded sessions, the newest activity first. */
  list(): ViewSummary[]
  /** Everything that was recorded of a session; undefined when it is not there. */
  view(id: string): Promise<SessionView | undefined>
  /** Ends the streams of every page that is open. */
  close(): void
}

/** Makes an inspector without any session in it. */
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

/** Views that are kept at once; the one that was quiet for longest goes first. */
const MAX_VIEWS = 64

function createRecordedSessions() {
  // In the order of their last change: the newest at the end.
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
        // One that had to go while it was quiet comes back; one that was replaced does not.
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
