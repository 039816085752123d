import type { ViewDecision, ViewSourceSpan } from '../../../../src/view/session-view.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './decisions.module.css'
import { isContested, turnsOf } from './group-decisions.ts'

interface DecisionCardProps {
  readonly decision: ViewDecision
  readonly chain: readonly ViewDecision[]
  readonly rivals: readonly ViewDecision[]
  readonly highlight: boolean
  readonly onSeq: (seq: number) => void
  readonly onDecision: (id: string) => void
}

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
        {authority !== status && (
          <span className={classes.authority}>
            <PlainText text={authority} />
          </span>
        )}
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
          Contested; it was not said which one holds:{' '}
          {rivals.map((rival) => (
            <TextButton key={rival.id} className={classes.link} onClick={() => onDecision(rival.id)}>
              <PlainText text={rival.choice} />
            </TextButton>
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

interface SourceQuoteProps {
  readonly source: ViewSourceSpan
  readonly onSeq: (seq: number) => void
}

function SourceQuote({ source, onSeq }: SourceQuoteProps) {
  const { quote, role, turn, seq } = source
  const where = `${role}, turn ${turn}`
  return (
    <blockquote className={classes.quote}>
      <PlainText text={quote} />
      <footer>
        {seq === null ? (
          <span>
            <PlainText text={where} />, not in this session
          </span>
        ) : (
          <TextButton className={classes.link} onClick={() => onSeq(seq)}>
            <PlainText text={where} />
          </TextButton>
        )}
      </footer>
    </blockquote>
  )
}

interface DecisionChainProps {
  readonly chain: readonly ViewDecision[]
  readonly onSeq: (seq: number) => void
}

function DecisionChain({ chain, onSeq }: DecisionChainProps) {
  const turns = turnsOf(chain)
  const span = turns.length > 1 ? `, turn ${turns[0]} → ${turns.at(-1)}` : ''
  return (
    <ol className={classes.chain} aria-label={`How it changed${span}`}>
      {chain.map((step) => (
        <li key={step.id} data-step={step.id} data-status={step.status}>
          <span className={classes.step}>
            <PlainText text={step.choice} />
          </span>
          <StepTurn step={step} onSeq={onSeq} />
          {/* The last step is the decision itself: its card says why. */}
          {step !== chain.at(-1) && step.reason !== undefined && (
            <span className={classes.why}>
              <PlainText text={step.reason} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

function StepTurn({ step, onSeq }: { readonly step: ViewDecision; readonly onSeq: (seq: number) => void }) {
  const source = step.sources[0]
  if (source === undefined) return null
  const { seq, turn } = source
  if (seq === null) return <span className={classes.term}>turn {turn}</span>
  return (
    <TextButton className={classes.link} onClick={() => onSeq(seq)}>
      turn {turn}
    </TextButton>
  )
}
