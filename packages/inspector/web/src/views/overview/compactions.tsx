import { useMemo } from 'react'
import { compactionsOf } from '../../data/compactions-of.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import classes from './overview.module.css'

export function Compactions({ view, go }: Pick<ViewProps, 'view' | 'go'>) {
  const made = useMemo(() => compactionsOf(view), [view])
  if (made.length === 0) return null
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="overview-compactions">
      <h2 id="overview-compactions">What each compaction kept</h2>
      <ol className={classes.compactions}>
        {made.map(({ request, gone, goneTokens, summary, whole, shortened, tokens }) => (
          <li key={request}>
            <TextButton onClick={() => go({ page: 'context', request })}>
              Request {formatCount(request + 1)}
            </TextButton>
            <span>
              {formatAmount(gone, 'message')} ({formatAmount(goneTokens, 'token')}) went into a summary, which
              now has {formatAmount(summary, 'token')}. {formatAmount(whole, 'message')}{' '}
              {whole === 1 ? 'stays' : 'stay'} word for word
              {shortened > 0 && `, ${formatCount(shortened)} shortened`}. The request has{' '}
              {formatAmount(tokens, 'token')}.
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
