import type { SessionView } from '../../../src/view/session-view.ts'
import { contextAt } from './contexts.ts'
import { promptTokens } from './session-figures.ts'

/** Compares the requests before and after each compaction. */
export function compactionsOf(view: Pick<SessionView, 'requests' | 'compactions' | 'messages'>) {
  const { requests, compactions, messages } = view
  const committed = new Set(
    compactions.filter(({ outcome }) => outcome === 'compacted').map(({ request }) => request),
  )
  return [...committed].flatMap((request) => {
    const made = requests[request]
    if (made === undefined) return []
    const after = contextAt(requests, request)
    const kept = new Set(after)
    const said = (index: number) => messages[index]?.seq !== null
    const gone = contextAt(requests, request - 1).filter((index) => said(index) && !kept.has(index))
    return [
      {
        ...{ request, gone: gone.length, summary: made.tokens.summaries, tokens: promptTokens(made) },
        goneTokens: gone.reduce((sum, index) => sum + (messages[index]?.tokens ?? 0), 0),
        whole: after.filter((index) => said(index) && messages[index]?.kind === 'message').length,
        shortened: after.filter((index) => messages[index]?.kind === 'shortened').length,
      },
    ]
  })
}
