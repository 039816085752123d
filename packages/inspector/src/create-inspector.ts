import { type Clock, type ContextSession, roughTokenCounter, type TokenCounter } from '@palimpsest/core'
import { createPageRoutes } from './page/page-routes.ts'
import { createViewRecorder } from './view/create-view-recorder.ts'
import { createRecordedSessions } from './view/recorded-sessions.ts'
import type { SessionView, ViewSummary } from './view/session-view.ts'
import type { WatchOptions } from './view/view-recorder.ts'

export interface InspectorOptions {
  /** Counts what the page shows. Default: the rough counter of core, which needs no vocabulary. */
  readonly tokens?: TokenCounter
  /** Milliseconds since the epoch. Default: the clock of the process. */
  readonly clock?: Clock
}

/** A page that shows sessions: the prompt of each request, what a compaction replaced, what it costs. */
export interface Inspector {
  /**
   * Records a session from now on. Returns the session to use instead: to its host it is the same one. A session of the
   * same id is replaced, and the one that was quiet for longest leaves when there are more than 64.
   */
  watch(session: ContextSession, options?: WatchOptions): ContextSession
  /**
   * Answers `/` with the page, and `/api/sessions…` and `/api/events` with what it shows, as JSON and as server-sent
   * events. It keeps no stranger out: that is for the host.
   */
  fetch(request: Request): Promise<Response>
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
  const page = createPageRoutes(sessions)
  return {
    watch(session, about = {}) {
      const recorder = createViewRecorder({ ...about, session, tokens, clock })
      sessions.add(recorder)
      return recorder.session
    },
    fetch: async (request) => page.routes.fetch(request),
    list: sessions.list,
    view: async (id) => (await sessions.find(id)?.view())?.view,
    close: page.close,
  }
}
