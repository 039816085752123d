import { memo, type ReactNode, useMemo, useState } from 'react'
import type { SessionView, ViewBill } from '../../../../src/view/session-view.ts'
import { sessionFigures } from '../../data/session-figures.ts'
import { formatAmount, formatCount, formatShare, formatShort, formatUsd } from '../../format.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './timeline.module.css'

export const Figures = memo(function Figures({ view }: { readonly view: SessionView }) {
  const figures = useMemo(() => sessionFigures(view), [view])
  const { sent, without, largest, compacted } = figures
  const [isOpen, setOpen] = useState(false)
  const { bill } = view
  return (
    <div className={`panel ${classes.figuresPanel}`}>
      <dl className={classes.figures}>
        <Figure name="sent" label="Tokens sent" value={sent} format={formatShort}>
          in {formatAmount(view.requests.length, 'request')}
        </Figure>
        <Figure name="without" label="Without the engine" value={without} format={formatShort}>
          {describeSaving(figures)}
        </Figure>
        <Figure name="compactions" label="Compactions" value={compacted} format={formatCount}>
          from {formatCount(view.threshold)} tokens
        </Figure>
        {bill ? (
          <BillFigure bill={bill} />
        ) : (
          <Figure name="largest" label="Largest prompt" value={largest} format={formatCount}>
            {formatShare(largest / Math.max(view.window, 1))} of {formatShort(view.window)}
          </Figure>
        )}
        {isOpen && <MoreFigures view={view} largest={largest} />}
      </dl>
      {(bill || view.warnings.length > 0) && (
        <TextButton className={classes.moreFigures} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'less' : 'more'}
        </TextButton>
      )}
    </div>
  )
})

function BillFigure({ bill }: { readonly bill: ViewBill }) {
  const { reported, pings, sticky, model } = bill
  if (reported === undefined)
    return (
      <Figure name="bill-sticky" label="Bill" value={sticky} format={formatUsd}>
        at prices of <PlainText text={model} />
      </Figure>
    )
  return (
    <Figure
      name="bill"
      label="Bill"
      value={reported.prompts + reported.answers + (pings?.usd ?? 0)}
      format={formatUsd}
    >
      as the provider counted, {formatUsd(reported.answers)} for answers
      {pings && `, ${formatUsd(pings.usd)} for ${pings.count} pings`}
    </Figure>
  )
}

function MoreFigures({ view, largest }: { readonly view: SessionView; readonly largest: number }) {
  const { bill, warnings } = view
  return (
    <>
      {bill && (
        <Figure name="largest" label="Largest prompt" value={largest} format={formatCount}>
          {formatShare(largest / Math.max(view.window, 1))} of {formatShort(view.window)}
        </Figure>
      )}
      {warnings.length > 0 && (
        <Figure name="warnings" label="Warnings" value={warnings.length} format={formatCount}>
          listed below
        </Figure>
      )}
      {bill?.reported && (
        <Figure name="bill-sticky" label="Prompts, expected" value={bill.sticky} format={formatUsd}>
          at prices of <PlainText text={bill.model} />
        </Figure>
      )}
      {bill && bill.without !== null && (
        <Figure name="bill-without" label="Bill without engine" value={bill.without} format={formatUsd}>
          with the same caching
        </Figure>
      )}
      {bill && (
        <>
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
    </>
  )
}

function describeSaving({ sent, without, compacted }: ReturnType<typeof sessionFigures>): string {
  if (without === 0 || sent === without) return ''
  if (sent < without) return `the engine saved ${formatShare((without - sent) / without)}`
  const more = `${formatShort(sent - without)} more with its tools and notes`
  return compacted === 0 ? `${more}; nothing was compacted yet` : more
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
