import type { Inspector } from './create-inspector.ts'
import { createPageRoutes } from './page/page-routes.ts'
import type { SessionView, ViewSummary } from './view/session-view.ts'
import type { ShownSession, ViewCursor } from './view/view-recorder.ts'

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
    list: () => [...sessions],
    find: (id) => shown.get(id),
    subscribe: () => () => {},
  })
  return { fetch: async (request) => routes.fetch(request), close }
}

/** Nothing changes in it. */
function readSession(summary: ViewSummary, read: SessionsPageInput['view']): ShownSession {
  const { id } = summary
  return {
    id,
    summary: () => summary,
    async view() {
      const view = await read(id)
      const { messages, requests, compactions, warnings } = view
      const cursor: ViewCursor = {
        revision: 0,
        messages: messages.length,
        requests: requests.length,
        compactions: compactions.length,
        warnings: warnings.length,
      }
      return { view, cursor }
    },
    async delta(cursor) {
      const nothing = (from: number) => ({ from, items: [] })
      const { revision } = cursor
      const lists = {
        messages: nothing(cursor.messages),
        requests: nothing(cursor.requests),
        compactions: nothing(cursor.compactions),
        warnings: nothing(cursor.warnings),
      }
      return { delta: { id, revision, ...lists, facts: {} }, cursor }
    },
    subscribe: () => () => {},
  }
}
