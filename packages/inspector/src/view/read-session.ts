import type { SessionView, ViewSummary } from './session-view.ts'
import type { ShownSession, ViewCursor } from './view-recorder.ts'

/** A session that is read when it is opened, and in which nothing changes. */
export function readSession(summary: ViewSummary, read: (id: string) => Promise<SessionView>): ShownSession {
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
