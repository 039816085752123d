import { formatAmount } from '../../ui/format-count.ts'
import { rangeOf } from './describe-summary.ts'
import classes from './details.module.css'
import type { SummaryHit } from './search-summaries.ts'

/** More lines than this help nobody: a longer query does. */
const shown = 40

interface SummaryResultsProps {
  readonly results: readonly SummaryHit[]
  readonly onSelect: (id: string) => void
}

/** What a search found, line by line. */
export function SummaryResults({ results, onSelect }: SummaryResultsProps) {
  if (results.length === 0) return null
  return (
    <ul className={classes.results} aria-label="Found">
      {results.slice(0, shown).map(({ node, inText, below }) => (
        <li key={node.id}>
          <button type="button" className={classes.result} onClick={() => onSelect(node.id)}>
            <strong>{rangeOf(node)}</strong>
            {inText > 0 && <span>{formatAmount(inText, 'match', 'matches')} in the summary</span>}
            {below > 0 && <span>{formatAmount(below, 'message')} below</span>}
          </button>
        </li>
      ))}
      {results.length > shown && <li className={classes.more}>and {results.length - shown} more</li>}
    </ul>
  )
}
