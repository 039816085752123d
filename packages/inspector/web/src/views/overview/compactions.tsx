import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { contextAt } from '../../data/contexts.ts'
import { promptTokens } from '../../data/session-figures.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import classes from './overview.module.css'

export function Compactions({ view, go }: Pick<ViewProps, 'view' | 'go'>) {
  const made = useMemo(() => compactionsOf(view), [view])
  if (made.length === 0) return null
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="overview-kept">
      <h2 id="overview-kept">What each compaction kept</h2>
      <ol className={classes.compactions}>
        {made.map(({ request, gone, goneTokens, summary, whole, tokens }) => (
          <li key={request}>
            <TextButton onClick={() => go({ page: 'context', request })}>
              Request {formatCount(request + 1)}
            </TextButton>
            <span>
              {formatAmount(gone, 'message')} ({formatAmount(goneTokens, 'token')}) went into a summary, which
              now has {formatAmount(summary, 'token')}. {formatAmount(whole, 'message')}{' '}
              {whole === 1 ? 'stays' : 'stay'} word for word. The request has {formatAmount(tokens, 'token')}.
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

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
      },
    ]
  })
}
