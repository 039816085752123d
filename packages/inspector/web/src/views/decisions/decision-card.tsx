import type { ViewDecision } from '../../../../src/view/session-view.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { DecisionChain } from './decision-chain.tsx'
import classes from './decisions.module.css'
import { isContested } from './group-decisions.ts'
import { SourceQuote } from './source-quote.tsx'

interface DecisionCardProps {
  readonly decision: ViewDecision
  /** Itself and what it replaced, the oldest first. */
  readonly chain: readonly ViewDecision[]
  readonly rivals: readonly ViewDecision[]
  /** Whether it is the one that a link led to. */
  readonly highlight: boolean
  readonly onSeq: (seq: number) => void
  readonly onDecision: (id: string) => void
}

/** A decision: what, why, who said so and where, what it replaced and what speaks against it. */
export function DecisionCard({ decision, chain, rivals, highlight, onSeq, onDecision }: DecisionCardProps) {
  const { id, slot, choice, l0, l1, status, authority, reason, sources, remarks = [] } = decision
  return (
    <article
      className={classes.card}
      data-decision={id}
      data-status={status}
      data-contested={isContested(decision) || undefined}
      data-highlight={highlight || undefined}
      aria-label={`${slot}: ${choice}`}
    >
      <header className={classes.head}>
        <h3>
          <PlainText text={l0} />
        </h3>
        <span className={classes.status} data-status={status}>
          <PlainText text={status} />
        </span>
        <span className={classes.authority}>
          <PlainText text={authority} />
        </span>
      </header>
      <p className={classes.slot}>
        <PlainText text={l0.includes(choice) ? slot : `${slot}: ${choice}`} />
      </p>
      {l1 !== undefined && l1 !== l0 && (
        <p className={classes.detail}>
          <PlainText text={l1} />
        </p>
      )}
      {reason !== undefined && (
        <p className={classes.line}>
          <span className={classes.term}>Because</span> <PlainText text={reason} />
        </p>
      )}
      {rivals.length > 0 && (
        <p className={classes.contested}>
          Contested; nobody said which one holds:{' '}
          {rivals.map((rival) => (
            <button
              key={rival.id}
              type="button"
              className={classes.link}
              onClick={() => onDecision(rival.id)}
            >
              <PlainText text={rival.choice} />
            </button>
          ))}
        </p>
      )}
      {remarks.length > 0 && (
        <p className={classes.contested}>Contested; what was said since leaves it open:</p>
      )}
      {remarks.map((remark) => (
        <SourceQuote key={`${remark.turn} ${remark.quote}`} source={remark} onSeq={onSeq} />
      ))}
      {chain.length > 1 && <DecisionChain chain={chain} onSeq={onSeq} />}
      {sources.map((source, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be said twice in a turn; the list only grows
        <SourceQuote key={place} source={source} onSeq={onSeq} />
      ))}
    </article>
  )
}
