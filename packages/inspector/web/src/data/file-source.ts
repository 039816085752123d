import type { SessionView } from '../../../src/view/session-view.ts'
import type { Loaded, PageSource } from './page-source.ts'
import { constantStore, type Store } from './store.ts'
import { summarizeView } from './summarize-view.ts'

/** The sessions that were written into the page's file. */
export function fileSource(views: readonly SessionView[]): PageSource {
  const unknown = constantStore<Loaded<SessionView>>({
    status: 'failed',
    message: 'This file does not hold that session.',
  })
  const byId = new Map(
    views.map((view): [string, Store<Loaded<SessionView>>] => [
      view.id,
      constantStore({ status: 'ready', value: view, connection: 'file' }),
    ]),
  )
  const summaries = views.map(summarizeView)
  return {
    isLive: false,
    engines: summaries.every(({ title }) => title === summaries[0]?.title) ? summaries : [],
    sessions: constantStore({ status: 'ready', value: summaries, connection: 'file' }),
    open: (id) => byId.get(id) ?? unknown,
  }
}
