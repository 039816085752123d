import type { ViewDecision, ViewSourceSpan } from '../../../../src/view/session-view.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import ui from '../../ui/ui.module.css'
import classes from './decisions.module.css'

interface DecisionCardProps {
  readonly decision: ViewDecision
  readonly chain: readonly ViewDecision[]
  readonly rivals: readonly ViewDecision[]
  readonly highlight: boolean
  readonly onSeq: (seq: number) => void
  readonly onDecision: (id: string) => void
}

export function DecisionCard({ decision, chain, rivals, highlight, onSeq, onDecision }: DecisionCardProps) {
  const { id, subject, value, l0, l1, status, authority, reason, sources } = decision
  return (
    <article
      className={`${ui.card} ${classes.card}`}
      data-decision={id}
      data-status={status}
      data-highlight={highlight || undefined}
      aria-label={`${subject}: ${value}`}
    >
      <header className={classes.head}>
        <h3>
          <PlainText text={l0} />
        </h3>
        <span data-status={status}>
          <PlainText text={authority === status ? status : `${status}, ${authority}`} />
        </span>
      </header>
      <p className="quiet">
        <PlainText text={l0.includes(value) ? subject : `${subject}: ${value}`} />
      </p>
      {l1 !== undefined && l1 !== l0 && (
        <p className="quiet">
          <PlainText text={l1} />
        </p>
      )}
      {reason !== undefined && (
        <p>
          <span className="quiet">Because</span> <PlainText text={reason} />
        </p>
      )}
      {rivals.length > 0 && (
        <p className={classes.contested}>
          Contested; it was not said which one holds:{' '}
          {rivals.map((rival) => (
            <TextButton key={rival.id} onClick={() => onDecision(rival.id)}>
              <PlainText text={rival.value} />
            </TextButton>
          ))}
        </p>
      )}
      {chain.length > 1 && (
        <ol className={classes.chain} aria-label="How it changed">
          {chain.map((step) => (
            <li key={step.id} data-step={step.id}>
              <span className={classes.step}>
                <PlainText text={step.value} />
              </span>{' '}
              {step.sources[0] && <SourceLink source={step.sources[0]} onSeq={onSeq} />}{' '}
              {/* The last step is the decision itself: its card says why. */}
              {step.id !== id && step.reason !== undefined && (
                <span className="quiet">
                  <PlainText text={step.reason} />
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
      {sources.map((source, place) => (
        <SourceQuote key={place} source={source} onSeq={onSeq} />
      ))}
    </article>
  )
}

interface SourceProps {
  readonly source: ViewSourceSpan
  readonly onSeq: (seq: number) => void
}

const SourceQuote = (props: SourceProps) => (
  <blockquote className={classes.quote}>
    <PlainText text={props.source.quote} />
    <footer>
      <SourceLink {...props} />
    </footer>
  </blockquote>
)

function SourceLink({ source: { role, turn, seq }, onSeq }: SourceProps) {
  const where = <PlainText text={`${role}, turn ${turn}`} />
  if (seq === null) return <span className="quiet">{where}, not in this session</span>
  return <TextButton onClick={() => onSeq(seq)}>{where}</TextButton>
}
