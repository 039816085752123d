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
      <Figure name="sent" label="Tokens sent" value={sent} format={formatShort}>
        in {formatAmount(view.requests.length, 'request')}
      </Figure>
      <Figure name="without" label="Without the engine" value={without} format={formatShort}>
        {describeSaving(sent, without)}
      </Figure>
      <Figure name="largest" label="Largest prompt" value={largest} format={formatCount}>
        {formatShare(largest / Math.max(view.window, 1))} of {formatShort(view.window)}
      </Figure>
      <Figure name="compactions" label="Compactions" value={compacted} format={formatCount}>
        from {formatCount(view.threshold)} tokens
      </Figure>
      {view.warnings.length > 0 && (
        <Figure name="warnings" label="Warnings" value={view.warnings.length} format={formatCount}>
          listed below
        </Figure>
      )}
      {bill && (
        <>
          {bill.reported && (
            <Figure
              name="bill"
              label="Bill"
              value={bill.reported.prompts + bill.reported.answers}
              format={formatUsd}
            >
              as the provider counted, {formatUsd(bill.reported.answers)} for answers
            </Figure>
          )}
          <Figure
            name="bill-sticky"
            label={bill.reported ? 'Prompts, expected' : 'Bill'}
            value={bill.sticky}
            format={formatUsd}
          >
            at prices of <PlainText text={bill.model} />
          </Figure>
          {bill.without !== null && (
            <Figure name="bill-without" label="Bill without engine" value={bill.without} format={formatUsd}>
              with the same caching
            </Figure>
          )}
          <Figure name="bill-uncached" label="Without caching" value={bill.uncached} format={formatUsd}>
            prices of {bill.asOf}
          </Figure>
          <Figure name="bill-bound" label="Lower bound" value={bill.bound} format={formatUsd}>
            no cache does better
          </Figure>
          <Figure name="bill-share" label="Read from cache" value={bill.cacheReadShare} format={formatShare}>
            of all tokens
          </Figure>
        </>
      )}
    </dl>
  )
})

function describeSaving(sent: number, without: number): string {
  if (without === 0 || sent === without) return ''
  const share = formatShare(Math.abs(without - sent) / without)
  return sent < without ? `the engine saved ${share}` : `the engine sent ${share} more`
}

interface FigureProps {
  readonly name: string
  readonly label: string
  readonly value: number
  readonly format: (value: number) => string
  readonly children: ReactNode
}

function Figure({ name, label, value, format, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.figureValue} data-testid={name} data-value={value}>
          {format(value)}
        </span>
        <span className={classes.figureNote}>{children}</span>
      </dd>
    </div>
  )
}
