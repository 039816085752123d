import { memo, type ReactNode, useMemo, useState } from 'react'
import type { SessionView, ViewBill } from '../../../../src/view/session-view.ts'
import { sessionFigures } from '../../data/session-figures.ts'
import { formatAmount, formatCount, formatShare, formatShort, formatUsd } from '../../format.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './timeline.module.css'

interface Figure {
  readonly name: string
  readonly label: string
  readonly value: number
  readonly format: (value: number) => string
  readonly note: ReactNode
}

/** What is shown before somebody asks for more. */
const FIRST = 4

export const Figures = memo(function Figures({ view }: { readonly view: SessionView }) {
  const figures = useMemo(() => figuresOf(view), [view])
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={`panel ${classes.figuresPanel}`}>
      <dl className={classes.figures}>
        {figures.slice(0, isOpen ? undefined : FIRST).map(({ name, label, value, format, note }) => (
          <div key={name} className={classes.figure}>
            <dt>{label}</dt>
            <dd>
              <span className={classes.figureValue} data-testid={name} data-value={value}>
                {format(value)}
              </span>
              <span className={classes.figureNote}>{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      {figures.length > FIRST && (
        <TextButton className={classes.moreFigures} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'less' : 'more'}
        </TextButton>
      )}
    </div>
  )
})

function figuresOf(view: SessionView): readonly Figure[] {
  const figures = sessionFigures(view)
  const { sent, without, largest, compacted } = figures
  return [
    {
      name: 'sent',
      label: 'Tokens sent',
      value: sent,
      format: formatShort,
      note: `in ${formatAmount(view.requests.length, 'request')}`,
    },
    {
      name: 'without',
      label: 'Without the engine',
      value: without,
      format: formatShort,
      note: describeSaving(figures),
    },
    {
      name: 'compactions',
      label: 'Compactions',
      value: compacted,
      format: formatCount,
      note: `from ${formatCount(view.threshold)} tokens`,
    },
    ...(view.bill ? billFigures(view.bill) : []),
    {
      name: 'largest',
      label: 'Largest prompt',
      value: largest,
      format: formatCount,
      note: `${formatShare(largest / Math.max(view.window, 1))} of ${formatShort(view.window)}`,
    },
  ]
}

function billFigures(bill: ViewBill): readonly Figure[] {
  const { reported, pings, sticky, model, without, uncached, asOf, bound, cacheReadShare } = bill
  const prices = (
    <>
      at prices of <PlainText text={model} />
    </>
  )
  const expected = { name: 'bill-sticky', value: sticky, format: formatUsd, note: prices }
  const whole = reported && {
    name: 'bill',
    label: 'Bill',
    value: reported.prompts + reported.answers + (pings?.usd ?? 0),
    format: formatUsd,
    note: `as the provider counted, ${formatUsd(reported.answers)} for answers${pings ? `, ${formatUsd(pings.usd)} for ${pings.count} pings` : ''}`,
  }
  const none = without !== null && {
    name: 'bill-without',
    label: 'Bill without engine',
    value: without,
    format: formatUsd,
    note: 'with the same caching',
  }
  return [
    ...(whole ? [whole, { ...expected, label: 'Prompts, expected' }] : [{ ...expected, label: 'Bill' }]),
    ...(none ? [none] : []),
    {
      name: 'bill-uncached',
      label: 'Without caching',
      value: uncached,
      format: formatUsd,
      note: `prices of ${asOf}`,
    },
    {
      name: 'bill-bound',
      label: 'Lower bound',
      value: bound,
      format: formatUsd,
      note: 'no cache does better',
    },
    {
      name: 'bill-share',
      label: 'Read from cache',
      value: cacheReadShare,
      format: formatShare,
      note: 'of all tokens',
    },
  ]
}

function describeSaving({ sent, without, compacted }: ReturnType<typeof sessionFigures>): string {
  if (without === 0 || sent === without) return ''
  if (sent < without) return `the engine saved ${formatShare((without - sent) / without)}`
  const more = `${formatShort(sent - without)} more with its tools and notes`
  return compacted === 0 ? `${more}; nothing was compacted yet` : more
}
