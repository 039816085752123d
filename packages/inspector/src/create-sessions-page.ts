import type { Inspector } from './create-inspector.ts'
import { createPageRoutes } from './page/page-routes.ts'
import { readSession } from './view/read-session.ts'
import type { SessionView, ViewSummary } from './view/session-view.ts'

export interface SessionsPageInput {
  /** In the order of the list. */
  readonly sessions: readonly ViewSummary[]
  /** Reads one of them. Its id has to be that of the list. */
  view(id: string): Promise<SessionView>
}

/** The page of sessions that are not watched: each is read when it is opened. Access control is the host's. */
export function createSessionsPage({
  sessions,
  view,
}: SessionsPageInput): Pick<Inspector, 'fetch' | 'close'> {
  const shown = new Map(sessions.map((summary) => [summary.id, readSession(summary, view)]))
  const { routes, close } = createPageRoutes({
    list: async () => sessions,
    find: (id) => shown.get(id),
    findStored: async () => undefined,
    subscribe: () => () => {},
  })
  return { fetch: async (request) => routes.fetch(request), close }
}
