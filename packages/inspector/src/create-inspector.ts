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
   * Records a session from now on; use what it returns in its place. It replaces one of the same id; 64 are kept, the
   * quietest leaves.
   */
  watch(session: ContextSession, options?: WatchOptions): ContextSession
  /** Answers `/` with the page, and `/api/…` with its data as JSON and server-sent events. Access control is the host's. */
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
