import type { ViewDecision } from '../../../../src/view/session-view.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { turnsOf } from './chain-of.ts'
import classes from './decisions.module.css'

interface DecisionChainProps {
  /** The oldest first. */
  readonly chain: readonly ViewDecision[]
  readonly onSeq: (seq: number) => void
}

/** How a choice came to be another: each step with its turn, which leads to the message. */
export function DecisionChain({ chain, onSeq }: DecisionChainProps) {
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
    <button type="button" className={classes.link} onClick={() => onSeq(seq)}>
      turn {turn}
    </button>
  )
}
