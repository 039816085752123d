import { memo, type ReactNode, useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { sessionFigures } from '../../data/session-figures.ts'
import { formatAmount, formatCount, formatShare, formatShort, formatUsd } from '../../format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './timeline.module.css'

export const Figures = memo(function Figures({ view }: { readonly view: SessionView }) {
  const { sent, without, largest, compacted } = useMemo(() => sessionFigures(view), [view])
  const { bill } = view
  return (
    <dl className={classes.figures}>
      <Figure name="sent" label="Tokens sent" value={sent} text={formatShort(sent)}>
        in {formatAmount(view.requests.length, 'request')}
      </Figure>
      <Figure name="without" label="Without the engine" value={without} text={formatShort(without)}>
        {describeSaving(sent, without)}
      </Figure>
      <Figure name="largest" label="Largest prompt" value={largest} text={formatCount(largest)}>
        {formatShare(largest / Math.max(view.window, 1))} of {formatShort(view.window)}
      </Figure>
      <Figure name="compactions" label="Compactions" value={compacted} text={formatCount(compacted)}>
        from {formatCount(view.threshold)} tokens
      </Figure>
      {view.warnings.length > 0 && (
        <Figure
          name="warnings"
          label="Warnings"
          value={view.warnings.length}
          text={formatCount(view.warnings.length)}
        >
          listed below
        </Figure>
      )}
      {bill && (
        <>
          <Figure name="bill-sticky" label="Bill" value={bill.sticky} text={formatUsd(bill.sticky)}>
            at prices of <PlainText text={bill.model} />
          </Figure>
          {bill.without !== null && (
            <Figure
              name="bill-without"
              label="Bill without engine"
              value={bill.without}
              text={formatUsd(bill.without)}
            >
              with the same caching
            </Figure>
          )}
          <Figure
            name="bill-uncached"
            label="Without caching"
            value={bill.uncached}
            text={formatUsd(bill.uncached)}
          >
            prices of {bill.asOf}
          </Figure>
          <Figure name="bill-bound" label="Lower bound" value={bill.bound} text={formatUsd(bill.bound)}>
            no cache does better
          </Figure>
          <Figure
            name="bill-share"
            label="Read from cache"
            value={bill.cacheReadShare}
            text={formatShare(bill.cacheReadShare)}
          >
            of all tokens
          </Figure>
        </>
      )}
    </dl>
  )
})

/** What the engine saved of what was sent. In short sessions its tools and notes cost more than it saves. */
function describeSaving(sent: number, without: number): string {
  if (without === 0 || sent === without) return ''
  const share = formatShare(Math.abs(without - sent) / without)
  return sent < without ? `the engine saved ${share}` : `the engine sent ${share} more`
}

interface FigureProps {
  readonly name: string
  readonly label: string
  /** As it stands in the session's JSON. */
  readonly value: number
  readonly text: string
  readonly children: ReactNode
}

function Figure({ name, label, value, text, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.figureValue} data-testid={name} data-value={value}>
          {text}
        </span>
        <span className={classes.figureNote}>{children}</span>
      </dd>
    </div>
  )
}
