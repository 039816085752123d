import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import type { ContextLine } from '../../data/context-change.ts'
import { countChanges } from '../../data/count-changes.ts'
import { formatAmount, formatCount } from '../../ui/format-count.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { describeCompaction } from '../timeline/describe-compaction.ts'
import classes from './context.module.css'

interface ChangeSummaryProps {
  readonly view: SessionView
  /** Index in `requests`. */
  readonly request: number
  readonly lines: readonly ContextLine[]
}

/** In one line, what is different from the request before, and which compactions did it. */
export function ChangeSummary({ view, request, lines }: ChangeSummaryProps) {
  const counts = useMemo(() => countChanges(lines, view.messages), [lines, view.messages])
  const compactions = view.compactions.filter((made) => made.request === request)
  const { kept, added, changed, removed, addedTokens, removedTokens } = counts
  const changes = [
    added > 0 && `${formatCount(added)} new`,
    changed > 0 && `${formatCount(changed)} changed`,
    removed > 0 && `${formatCount(removed)} gone`,
    `${formatCount(kept)} as before`,
  ].filter((part) => part !== false)
  return (
    <div className={classes.summary} data-testid="context-changes">
      {request === 0 ? (
        <span>{formatAmount(added, 'message')} at the first request</span>
      ) : (
        <span>
          Since request {formatCount(request)}: {changes.join(', ')}
          <span className={classes.quiet}>
            {' '}
            (+{formatCount(addedTokens)} −{formatAmount(removedTokens, 'token')})
          </span>
        </span>
      )}
      {compactions.map((compaction, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: compactions have no other name; the list only grows
        <span key={place} className={classes.compaction}>
          <PlainText text={describeCompaction(compaction)} />
        </span>
      ))}
    </div>
  )
}
